import type { RangeQuantity } from '../../domain/known-range.ts';
import type { Snapshot } from '../../domain/snapshot.ts';

type SeenQuantity = Exclude<RangeQuantity, 'LATENESS'>;

/**
 * What one snapshot says of how busy a site is. Waits count as they are so far: that of a job that still waits is
 * longer in the end, but need not be waited for. Jobs that came or started lately and are already gone are not seen.
 * O(jobs).
 */
export function siteQuantities({ observedAt, waiting, running }: Snapshot): Readonly<Record<SeenQuantity, number>> {
  const arrived = (job: { readonly submitAt: number }) => job.submitAt > observedAt - ARRIVAL_SECONDS;
  const started = running.filter(({ startAt }) => startAt > observedAt - STARTED_SECONDS);
  const waits = [
    ...waiting.map(({ submitAt }) => observedAt - submitAt),
    ...started.map(({ submitAt, startAt }) => startAt - submitAt),
  ].sort((a, b) => a - b);
  return {
    WAITING_JOBS: waiting.length,
    WAITING_PROCESSORS: waiting.reduce((sum, { processors }) => sum + processors, 0),
    ARRIVALS: waiting.filter(arrived).length + running.filter(arrived).length,
    WAITS: waits.length < FEWEST_WAITS ? 0 : Math.max(0, waits[Math.floor((waits.length - 1) / 2)] as number),
  };
}

const ARRIVAL_SECONDS = 3600;
const STARTED_SECONDS = 10_800;
const FEWEST_WAITS = 5;
