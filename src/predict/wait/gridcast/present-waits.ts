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
  private readonly started: number[] = [];
  private answered: { readonly state: Snapshot; readonly percentiles: readonly number[] } | null = null;

  /** Takes in a known wait, in about the order of starts. */
  learn(record: StartedRecord): void {
    this.started.push(Math.max(0, waitSeconds(record)));
    if (this.started.length > STARTED_KEPT) this.started.shift();
    this.answered = null;
  }

  /**
   * The wait in seconds that is not exceeded with probability (i + 1) / 100, for i = 0..98; infinite where too many
   * still wait to say. Computed once for a state and what has been learned, in O(n log n) of the jobs that wait.
   *
   * Source: Kaplan and Meier, Nonparametric estimation from incomplete observations, JASA 53, 1958.
   */
  percentiles(state: Snapshot): readonly number[] {
    if (this.answered?.state !== state) this.answered = { state, percentiles: percentilesOf(this.seenIn(state)) };
    return this.answered.percentiles;
  }

  private seenIn({ waiting, observedAt }: Snapshot): SeenWait[] {
    return [
      ...this.started.map((seconds) => ({ seconds, isOver: true })),
      ...waiting.map(({ submitAt }) => ({ seconds: Math.max(0, observedAt - submitAt), isOver: false })),
    ];
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
const STARTED_KEPT = 15;
