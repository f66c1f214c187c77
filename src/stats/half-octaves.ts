/**
 * Counts of values from 0 up by half octaves: entry i holds those with 2^(i/2) - 1 <= value < 2^((i+1)/2) - 1. Small
 * enough to be stored, and fine enough to tell what is usual from what is several times as much.
 */
export type HalfOctaves = readonly number[];

/** The counts with one more value. From 4,096 on all are halved, so that recent values count for more. */
export function countValue(counts: HalfOctaves, value: number): HalfOctaves {
  const bin = Math.floor(2 * Math.log2(1 + Math.max(0, value)) + 1e-9);
  const next = Array.from({ length: Math.max(counts.length, bin + 1) }, (_, i) => counts[i] ?? 0);
  next[bin] = (next[bin] ?? 0) + 1;
  return totalOf(next) < MOST_VALUES ? next : next.map((count) => count / 2);
}

/** The upper end of the bin in which the quantile falls; null when fewer than `fewest` values are counted. */
export function quantileOfCounts(counts: HalfOctaves, quantile: number, fewest: number): number | null {
  const total = totalOf(counts);
  if (total < fewest) return null;
  let left = quantile * total;
  const bin = counts.findIndex((count) => {
    left -= count;
    return left <= 1e-9;
  });
  return 2 ** ((bin + 1) / 2) - 1;
}

function totalOf(counts: HalfOctaves): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

const MOST_VALUES = 4096;
