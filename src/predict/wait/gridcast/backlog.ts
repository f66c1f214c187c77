import type { EpochSeconds } from '../../../domain/clock.ts';
import type { EndedRecord, SubmittedJob } from '../../../domain/job.ts';
import type { RunningJob, Snapshot } from '../../../domain/snapshot.ts';
import { MadeOfState } from '../made-of-state.ts';

/** A basin as it was seen at one moment. */
interface Level {
  /** Seconds for which the whole machine has work. */
  readonly seconds: number;
  /** Work that came lately, in parts of what the machine can do. */
  readonly inflow: number;
}

/**
 * How long the work that a site has before it will last. The queue is a basin: work flows into it as it did lately, and
 * out of it goes what the site's processors can do. So a flood is foreseen whose jobs have not started yet, and an ebb
 * that is still to come. Jobs that requested no walltime count as no work.
 *
 * Source: the fluid approximation of a queue; Newell, Applications of Queueing Theory, 1982, chapter 2.
 */
export class Backlog {
  private readonly came: { readonly at: EpochSeconds; readonly processorSeconds: number }[] = [];
  private readonly usedShares: number[] = [];
  private firstAt: EpochSeconds | null = null;
  private readonly levels = new MadeOfState((state) => this.levelIn(state));

  /** Takes in a job that came. */
  submitted({ submitAt, processors, requestedWalltimeSeconds }: SubmittedJob): void {
    this.firstAt ??= submitAt;
    this.came.push({ at: submitAt, processorSeconds: processors * (requestedWalltimeSeconds ?? 0) });
    while ((this.came[0]?.at ?? submitAt) <= submitAt - LATELY_SECONDS) this.came.shift();
    this.levels.forget();
  }

  /** Takes in what a job used of its walltime. */
  ended({ startAt, endAt, requestedWalltimeSeconds }: EndedRecord): void {
    if (startAt === null || !requestedWalltimeSeconds) return;
    this.usedShares.push(Math.min(1, (endAt - startAt) / requestedWalltimeSeconds));
    if (this.usedShares.length > JOBS_TO_LEARN_FROM) this.usedShares.shift();
    this.levels.forget();
  }

  /**
   * For how many seconds the machine will have work before a job that is handed in at `submitAt`; at least 0. Computed
   * once for a state and what has been learned, in O(n) of its jobs.
   */
  seconds(state: Snapshot, submitAt: EpochSeconds): number {
    const { seconds, inflow } = this.levels.of(state);
    return Math.max(0, seconds + (inflow - 1) * Math.max(0, submitAt - state.observedAt));
  }

  private levelIn(state: Snapshot): Level {
    const { observedAt, processors, waiting, running } = state;
    if (processors === 0) return { seconds: 0, inflow: 0 };
    const share = this.usedShare;
    const waits = waiting.map((job) => job.processors * share * (job.requestedWalltimeSeconds ?? 0));
    const runs = running.map((job) => job.processors * secondsLeft(job, observedAt, share));
    const spanSeconds = Math.min(LATELY_SECONDS, observedAt - (this.firstAt ?? observedAt));
    const lately = this.came.filter(({ at }) => at > observedAt - LATELY_SECONDS && at <= observedAt);
    const cameIn = share * sumOf(lately.map(({ processorSeconds }) => processorSeconds));
    const inflow = spanSeconds <= 0 ? 0 : cameIn / (spanSeconds * processors);
    return { seconds: (sumOf(waits) + sumOf(runs)) / processors, inflow };
  }

  /** The whole while fewer than ten jobs have ended. */
  private get usedShare(): number {
    return this.usedShares.length < FEWEST_ENDED ? 1 : sumOf(this.usedShares) / this.usedShares.length;
  }
}

/** One that has run for longer than its like goes on for half of what is left of its walltime. */
function secondsLeft({ startAt, requestedWalltimeSeconds }: RunningJob, now: EpochSeconds, share: number): number {
  const walltimeSeconds = requestedWalltimeSeconds ?? 0;
  const ranSeconds = Math.max(0, now - startAt);
  const left = Math.max(share * walltimeSeconds - ranSeconds, (walltimeSeconds - ranSeconds) / 2);
  return Math.max(0, left);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

const LATELY_SECONDS = 600;
const JOBS_TO_LEARN_FROM = 50;
const FEWEST_ENDED = 10;
