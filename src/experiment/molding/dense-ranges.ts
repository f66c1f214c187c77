import type { ResponseRange } from '../../plan/job/gain-score.ts';

/** Part of the runtimes that ranges cover, about that of the paper's. */
const COVERED_SHARE = 0.8;

/** Percentiles as the disjoint ranges where they lie closest, which hold four fifths of them; rising. */
export function denseRanges(quantileSeconds: readonly number[]): ResponseRange[] {
  const steps = quantileSeconds
    .slice(1)
    .map((toSeconds, i) => ({ fromSeconds: quantileSeconds[i] as number, toSeconds }));
  const lengthOf = ({ fromSeconds, toSeconds }: ResponseRange) => toSeconds - fromSeconds;
  const kept = steps
    .toSorted((a, b) => lengthOf(a) - lengthOf(b) || a.fromSeconds - b.fromSeconds)
    .slice(0, Math.ceil(COVERED_SHARE * steps.length))
    .sort((a, b) => a.fromSeconds - b.fromSeconds || a.toSeconds - b.toSeconds);
  const ranges: ResponseRange[] = [];
  for (const { fromSeconds, toSeconds } of kept) {
    const last = ranges.at(-1);
    if (last && last.toSeconds >= fromSeconds) ranges[ranges.length - 1] = { ...last, toSeconds };
    else ranges.push({ fromSeconds, toSeconds });
  }
  return ranges;
}
