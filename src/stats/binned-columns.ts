import { partitionPoint } from '../domain/partition-point.ts';

/** A table by columns, each value replaced by the number of its bin; bin 0 holds what is not a number. */
export interface BinnedColumns {
  readonly columns: readonly Uint8Array[];
  /** Upper ends, included, of each column's bins 1, 2, ...; the last bin has none. */
  readonly ends: readonly Float64Array[];
}

/** Bins of a column, the one for unknown values included. */
export const MOST_BINS = 64;

/**
 * Puts the values of a column into at most 63 bins of about as many rows each, cut at quantiles. O(rows x log rows).
 * @param values row after row
 * @param width values in a row
 */
export function binColumn(
  values: Float32Array,
  width: number,
  column: number,
): { readonly bins: Uint8Array; readonly ends: Float64Array } {
  const ends = binEnds(sortedColumn(values, width, column));
  const bins = new Uint8Array(values.length / width);
  for (let row = 0; row < bins.length; row++) bins[row] = binOf(values[row * width + column] as number, ends);
  return { bins, ends };
}

/** Number of the bin a value belongs to, by the bins' upper ends. O(log bins). */
export function binOf(value: number, ends: Float64Array): number {
  if (Number.isNaN(value)) return 0;
  return partitionPoint(ends.length, (index) => value > (ends[index] as number)) + 1;
}

function sortedColumn(values: Float32Array, width: number, column: number): Float32Array {
  const known = new Float32Array(values.length / width);
  let count = 0;
  for (let at = column; at < values.length; at += width) {
    const value = values[at] as number;
    if (!Number.isNaN(value)) known[count++] = value;
  }
  return known.subarray(0, count).sort();
}

function binEnds(sorted: Float32Array): Float64Array {
  const ends: number[] = [];
  const largest = sorted.at(-1) ?? Number.NaN;
  for (let cut = 1; cut < MOST_BINS - 1; cut++) {
    const end = sorted[Math.floor((cut * sorted.length) / (MOST_BINS - 1))] ?? largest;
    if (end < largest && end !== ends.at(-1)) ends.push(end);
  }
  return Float64Array.from(ends);
}
