import { Matrix, solve } from 'ml-matrix';

/** A linear model of standardised features. */
export interface RidgeModel {
  /** Value of the model for one row of features. */
  predict(row: ArrayLike<number>): number;
}

/**
 * Linear regression with a quadratic penalty on the slopes, not on the intercept, of features scaled to mean 0 and
 * variance 1. A feature that does not vary counts nothing. Source: Hoerl and Kennard, Ridge regression, Technometrics
 * 12 (1970).
 * @param rows n rows of d features, row by row
 * @param values n numbers, n at least 1
 * @param penalty on the squared slopes, per row
 */
export function ridgeRegression(rows: ArrayLike<number>, values: ArrayLike<number>, penalty: number): RidgeModel {
  const count = values.length;
  const width = rows.length / count;
  const { means, scales } = momentsOf(rows, count, width);
  const mean = sumOf(values) / count;
  const gram = new Float64Array(width * width);
  const right = new Float64Array(width);
  const row = new Float64Array(width);
  for (let i = 0; i < count; i++) {
    for (let a = 0; a < width; a++)
      row[a] = ((rows[i * width + a] as number) - (means[a] as number)) * (scales[a] as number);
    for (let a = 0; a < width; a++) {
      right[a] = (right[a] as number) + (row[a] as number) * ((values[i] as number) - mean);
      for (let b = a; b < width; b++) {
        gram[a * width + b] = (gram[a * width + b] as number) + (row[a] as number) * (row[b] as number);
      }
    }
  }
  for (let a = 0; a < width; a++) {
    for (let b = 0; b < a; b++) gram[a * width + b] = gram[b * width + a] as number;
    gram[a * width + a] = (gram[a * width + a] as number) + Math.max(penalty * count, 1e-9);
  }
  const slopes = solve(Matrix.from1DArray(width, width, gram), Matrix.columnVector(right));
  return {
    predict(target) {
      let value = mean;
      for (let a = 0; a < width; a++) {
        value += slopes.get(a, 0) * ((target[a] as number) - (means[a] as number)) * (scales[a] as number);
      }
      return value;
    },
  };
}

function momentsOf(rows: ArrayLike<number>, count: number, width: number) {
  const means = new Float64Array(width);
  const scales = new Float64Array(width);
  for (let a = 0; a < width; a++) {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += rows[i * width + a] as number;
    const mean = sum / count;
    let squares = 0;
    for (let i = 0; i < count; i++) squares += ((rows[i * width + a] as number) - mean) ** 2;
    means[a] = mean;
    scales[a] = squares > 0 ? Math.sqrt(count / squares) : 0;
  }
  return { means, scales };
}

function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] as number;
  return sum;
}
