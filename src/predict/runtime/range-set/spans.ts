import type { WeightedSpan } from './density.ts';
import type { WeightedRuntime } from './weighted-runtimes.ts';

/**
 * Ranges around known runtimes, of several widths: jobs that are the same job again run nearly as long, others about as
 * long.
 */
export function spansAround(weighted: readonly WeightedRuntime[]): WeightedSpan[] {
  return weighted.flatMap(({ runtime: { seconds }, weight }) =>
    WIDTHS.map(({ share, weight: widthWeight }) => {
      const reach = Math.max(1, (share * seconds) / 2);
      const fromSeconds = Math.max(0, seconds - reach);
      const toSeconds = seconds + reach;
      return { fromSeconds, toSeconds, probability: weight * widthWeight };
    }),
  );
}

/** Widths as shares of the runtime; tuned on the first 20,000 jobs of five logs. */
const WIDTHS = [
  { share: 0.004, weight: 0.25 },
  { share: 0.03, weight: 0.15 },
  { share: 0.15, weight: 0.2 },
  { share: 0.5, weight: 0.2 },
  { share: 1.6, weight: 0.2 },
] as const;
