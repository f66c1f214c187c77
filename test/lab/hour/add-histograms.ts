import type { Histogram } from '../../../src/cli/bench/histogram.ts';

/** Several histograms together. */
export function addHistograms(histograms: readonly Histogram[]): Histogram {
  const sum = new Map<number, number>();
  for (const histogram of histograms)
    for (const [bound, count] of histogram) sum.set(bound, (sum.get(bound) ?? 0) + count);
  return sum;
}
