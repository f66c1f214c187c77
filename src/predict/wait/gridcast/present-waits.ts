import { QUANTILE_COUNT } from '../../../domain/forecast.ts';
import { type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { MadeOfState } from '../made-of-state.ts';

/** A wait that is over, or how long it has lasted so far. */
interface SeenWait {
  readonly seconds: number;
  readonly isOver: boolean;
}

interface StartedWait {
  readonly processors: number;
  readonly seconds: number;
}

/**
 * What jobs wait at present: the latest that started, and those that still wait with what they have waited so far. A
 * history of waits hears of a queue that grows only when its jobs start; this one at once.
 */
export class PresentWaits {
  private readonly started: StartedWait[] = [];
  /** By the least size of the jobs that they are of. */
  private readonly answered = new MadeOfState(() => new Map<number, readonly number[]>());

  /** Takes in a known wait, in about the order of starts. */
  learn(record: StartedRecord): void {
    this.started.push({ processors: record.processors, seconds: Math.max(0, waitSeconds(record)) });
    if (this.started.length > STARTED_KEPT) this.started.shift();
    this.answered.forget();
  }

  /**
   * The wait in seconds of a job of that size that is not exceeded with probability (i + 1) / 100, for i = 0..98;
   * infinite where too many still wait to say. It is the longer of what all jobs wait and what those wait that are as
   * large: small ones are let past a queue that large ones stand in. Computed once for a size, a state and what has
   * been learned, in O(n log n) of the jobs that wait.
   *
   * Source: Kaplan and Meier, Nonparametric estimation from incomplete observations, JASA 53, 1958.
   */
  percentiles(state: Snapshot, processors: number): readonly number[] {
    const bySize = this.answered.of(state);
    const known = bySize.get(processors);
    if (known) return known;
    const ofAll = bySize.get(0) ?? percentilesOf(this.seenIn(state, 0));
    bySize.set(0, ofAll);
    const isSizeKnown = this.started.some((job) => job.processors >= processors);
    const ofLarge = isSizeKnown ? percentilesOf(this.seenIn(state, processors)) : ofAll;
    const longer = ofAll.map((seconds, i) => Math.max(seconds, ofLarge[i] as number));
    bySize.set(processors, longer);
    return longer;
  }

  private seenIn({ waiting, observedAt }: Snapshot, leastProcessors: number): SeenWait[] {
    const isLarge = ({ processors }: { readonly processors: number }) => processors >= leastProcessors;
    const started = this.started.filter(isLarge).slice(-STARTED_COUNTED);
    return [
      ...started.map(({ seconds }) => ({ seconds, isOver: true })),
      ...waiting
        .filter(isLarge)
        .map(({ submitAt }) => ({ seconds: Math.max(0, observedAt - submitAt), isOver: false })),
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
const STARTED_COUNTED = 15;
/** Enough for so many of them to be large. */
const STARTED_KEPT = 60;
