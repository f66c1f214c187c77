import { Matrix, solve } from 'ml-matrix';

/**
 * Value at `target` of the plane that fits weighted points best, with a little ridge so that it exists for any points.
 *
 * Method: weighted least squares by the normal equations, the points centred at the target, so that the intercept is
 * the answer.
 * Source: Atkeson, Moore and Schaal, Locally weighted learning, Artificial Intelligence Review 11 (1997), section 5.
 * @param points n rows of d numbers, best scaled to [0, 1]
 * @param values n numbers
 * @param weights n numbers, not negative, not all 0
 * @param ridge added to the slopes' part of the diagonal, as a share of the sum of the weights
 */
export function locallyWeightedRegression(
  points: readonly ArrayLike<number>[],
  values: readonly number[],
  weights: readonly number[],
  target: ArrayLike<number>,
  ridge = 1e-3,
): number {
  const size = target.length + 1;
  const normal = Matrix.zeros(size, size);
  const right = Matrix.zeros(size, 1);
  points.forEach((point, i) => {
    const weight = weights[i] as number;
    const row = Float64Array.from({ length: size }, (_, a) =>
      a === 0 ? 1 : (point[a - 1] as number) - (target[a - 1] as number),
    );
    for (let a = 0; a < size; a++) {
      right.set(a, 0, right.get(a, 0) + weight * (row[a] as number) * (values[i] as number));
      for (let b = 0; b < size; b++)
        normal.set(a, b, normal.get(a, b) + weight * (row[a] as number) * (row[b] as number));
    }
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (let a = 1; a < size; a++) normal.set(a, a, normal.get(a, a) + ridge * total);
  return solve(normal, right).get(0, 0);
}
