import type { RuntimeRange } from '../../../domain/forecast.ts';
import type { KnownRuntime } from './known-runtimes.ts';

type Span = Pick<RuntimeRange, 'fromSeconds' | 'toSeconds'>;

/**
 * Disjoint ranges with their probabilities: the share of the job's like that ran as long; those in which none ever did
 * have 0.1 together. Of more than 25 the most probable stay. Source: hariharan-end-to-end-predictions, section III-F.
 */
export function probableRanges(spans: readonly Span[], like: readonly KnownRuntime[]): RuntimeRange[] {
  const shares = spans.map((span) => like.filter(({ seconds }) => isIn(span, seconds)).length);
  const kept = [...spans.keys()]
    .sort((a, b) => (shares[b] as number) - (shares[a] as number) || a - b)
    .slice(0, MOST_RANGES)
    .sort((a, b) => a - b);
  const known = kept.reduce((sum, i) => sum + (shares[i] as number), 0);
  const news = kept.filter((i) => shares[i] === 0).length;
  const newShare = known === 0 ? 1 : news === 0 ? 0 : NEW_SHARE;
  return kept.map((i) => {
    const count = shares[i] as number;
    return { ...(spans[i] as Span), probability: count === 0 ? newShare / news : ((1 - newShare) * count) / known };
  });
}

/** The probability-weighted sum of the middles of the ranges. */
export function pointOf(ranges: readonly RuntimeRange[]): number {
  return ranges.reduce((sum, { fromSeconds, toSeconds, probability }) => {
    return sum + (probability * (fromSeconds + toSeconds)) / 2;
  }, 0);
}

function isIn({ fromSeconds, toSeconds }: Span, seconds: number): boolean {
  return fromSeconds <= seconds && seconds <= toSeconds;
}

const MOST_RANGES = 25;
const NEW_SHARE = 0.1;
