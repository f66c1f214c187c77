import type { EpochSeconds } from '../../../domain/clock.ts';
import { QUANTILE_COUNT } from '../../../domain/forecast.ts';
import { type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';

/** A wait that is over, or how long it has lasted so far. */
interface SeenWait {
  readonly seconds: number;
  readonly isOver: boolean;
}

/**
 * What jobs wait at present: the latest that started, and those that still wait with what they have waited so far. A
 * history of waits hears of a queue that grows only when its jobs start; this one at once.
 */
export class PresentWaits {
  private latest: { readonly startAt: EpochSeconds; readonly seconds: number }[] = [];

  /** Takes in a known wait, in about the order of starts. */
  learn(record: StartedRecord): void {
    this.latest.push({ startAt: record.startAt, seconds: Math.max(0, waitSeconds(record)) });
    if (this.latest.length > 2 * LATEST_KEPT) this.latest = this.latest.slice(-LATEST_KEPT);
  }

  /**
   * The wait that is not exceeded with probability (i + 1) / 100; infinite where too many still wait to say. Source:
   * Kaplan and Meier, Nonparametric estimation from incomplete observations, JASA 53, 1958.
   */
  percentiles({ waiting, observedAt }: Snapshot): number[] {
    const seen: SeenWait[] = [
      ...this.latest.slice(-LATEST_KEPT).map(({ seconds }) => ({ seconds, isOver: true })),
      ...waiting.map(({ submitAt }) => ({ seconds: Math.max(0, observedAt - submitAt), isOver: false })),
    ];
    return percentilesOf(seen);
  }
}

/** Percentiles 1 to 99 of waits of which some are not over. */
function percentilesOf(seen: SeenWait[]): number[] {
  seen.sort((a, b) => a.seconds - b.seconds || Number(b.isOver) - Number(a.isOver));
  const percentiles: number[] = [];
  let stillWaiting = 1;
  seen.forEach(({ seconds, isOver }, before) => {
    if (!isOver) return;
    stillWaiting *= 1 - 1 / (seen.length - before);
    while (percentiles.length < QUANTILE_COUNT && (percentiles.length + 1) / 100 <= 1 - stillWaiting + 1e-9) {
      percentiles.push(seconds);
    }
  });
  while (percentiles.length < QUANTILE_COUNT) percentiles.push(Number.POSITIVE_INFINITY);
  return percentiles;
}

/** Few, so that an ebb is forgotten when the flood comes. */
const LATEST_KEPT = 15;
