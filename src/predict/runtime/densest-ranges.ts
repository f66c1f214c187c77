import type { RuntimeRange } from '../../domain/forecast.ts';

/**
 * The shortest ranges that hold so much of a distribution, rising and apart from each other. Between two percentiles
 * next to each other lies one part in a hundred; the parts that are shortest are taken until there are enough.
 * Source: Hyndman, Computing and graphing highest density regions, The American Statistician 50(2), 1996.
 * @param quantileSeconds percentiles 1..99, finite
 * @param probability within (0, 0.98]
 */
export function densestRanges(quantileSeconds: readonly number[], probability: number): RuntimeRange[] {
  const parts = quantileSeconds
    .slice(1)
    .map((toSeconds, i) => ({ fromSeconds: quantileSeconds[i] as number, toSeconds }));
  const shortest = parts
    .map(({ fromSeconds, toSeconds }, index) => ({ index, length: toSeconds - fromSeconds }))
    .sort((a, b) => a.length - b.length || a.index - b.index)
    .slice(0, Math.round(probability * 100))
    .map(({ index }) => index)
    .sort((a, b) => a - b);
  const ranges: RuntimeRange[] = [];
  for (const index of shortest) {
    const { fromSeconds, toSeconds } = parts[index] as (typeof parts)[number];
    const before = ranges.at(-1);
    if (before?.toSeconds === fromSeconds) {
      ranges[ranges.length - 1] = { ...before, toSeconds, probability: before.probability + PART };
    } else ranges.push({ fromSeconds, toSeconds, probability: PART });
  }
  return ranges;
}

const PART = 0.01;
