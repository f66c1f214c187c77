import type { EpochSeconds } from '../domain/clock.ts';
import type { TrajectoryPoint } from '../domain/plan.ts';
import { aimedProbability, nextMargin, startingMargin } from '../plan/aim.ts';
import { replan } from '../plan/replan.ts';
import { latestPointReaching, mostProbablePoint } from '../plan/trajectory.ts';
import type { RandomStream } from '../sim/random.ts';
import type { ReservedWork, VarqSite } from './varq-site.ts';

export interface VarqProcessOptions {
  readonly probability: number;
  /** How far ahead reservations are asked for. */
  readonly leadSeconds: number;
  /** After how long another job is tried when one was refused. */
  readonly retrySeconds: number;
  /** How often the submission time is chosen anew while a promise waits. */
  readonly recomputeSeconds: number;
  /** Sizes to draw from. */
  readonly processors: readonly number[];
}

/** What became of one process's reservations. Charges in processor-seconds, of the kept ones. */
export interface VarqTally {
  accepted: number;
  kept: number;
  /** Sum of the probabilities of the accepted ones as they were promised. */
  promised: number;
  refusals: number;
  /** Sum of the best probabilities named in refusals. */
  bestOffers: number;
  required: number;
  used: number;
}

interface Promised {
  readonly work: ReservedWork;
  readonly point: TrajectoryPoint;
}

/**
 * A user who wants to start one job after another at a time set `leadSeconds` before, and asks again with other jobs as long as
 * he is refused: the submitting process of nurmi-varq, section 4.1. `next` is called at `dueAt`, in turn with the others.
 */
export class VarqProcess {
  readonly tally: VarqTally = { accepted: 0, kept: 0, promised: 0, refusals: 0, bestOffers: 0, required: 0, used: 0 };
  private startAt: EpochSeconds;
  private margin: number;
  private promise: Promised | null = null;
  private submitted: { readonly job: number; readonly work: ReservedWork } | null = null;

  constructor(
    private readonly site: VarqSite,
    private readonly random: RandomStream,
    private readonly options: VarqProcessOptions,
    public dueAt: EpochSeconds,
  ) {
    this.startAt = dueAt + options.leadSeconds;
    this.margin = startingMargin(options.probability);
  }

  /** The probability to aim at, given how the promises so far were kept. */
  private get aim(): number {
    return aimedProbability(this.options.probability, this.margin);
  }

  /** Does what is due at `dueAt`, which is now at the site, and sets the next `dueAt`. */
  next(): void {
    if (this.submitted) this.settle(this.submitted);
    else if (this.promise) this.hold(this.promise);
    else if (this.startAt - this.dueAt <= SHORTEST_LEAD_SECONDS) this.begin(this.startAt + PAUSE_SECONDS);
    else this.ask();
  }

  private ask(): void {
    const draw = (choices: readonly number[]) => choices[Math.floor(this.random.uniform() * choices.length)] as number;
    const work = { processors: draw(this.options.processors), runSeconds: draw(RUN_SECONDS), startAt: this.startAt };
    const trajectory = this.site.trajectoryOf(work);
    const point = latestPointReaching(trajectory, this.aim);
    if (!point) {
      this.tally.refusals++;
      this.tally.bestOffers += mostProbablePoint(trajectory)?.probability ?? 0;
      this.dueAt += this.options.retrySeconds;
      return;
    }
    this.tally.accepted++;
    this.tally.promised += point.probability;
    this.waitFor({ work, point });
  }

  private hold({ work, point }: Promised): void {
    if (point.submitAt <= this.dueAt) {
      this.submitted = { job: this.site.submit(work), work };
      this.dueAt = work.startAt;
      return;
    }
    const held = { probability: this.options.probability, aimedProbability: this.aim, submitAt: point.submitAt };
    this.waitFor({ work, point: replan(held, this.site.trajectoryOf(work)) ?? point });
  }

  private waitFor(promise: Promised): void {
    this.promise = promise;
    this.dueAt = Math.max(this.dueAt, Math.min(promise.point.submitAt, this.dueAt + this.options.recomputeSeconds));
  }

  private settle({ job, work }: { job: number; work: ReservedWork }): void {
    const startedAt = this.site.startOf(job);
    const kept = startedAt !== null;
    this.margin = nextMargin(this.margin, { probability: this.options.probability, kept });
    if (startedAt === null) this.site.cancel(job);
    else {
      this.tally.kept++;
      this.tally.required += work.processors * work.runSeconds;
      this.tally.used += work.processors * (work.runSeconds + work.startAt - startedAt);
    }
    this.begin(this.dueAt + PAUSE_SECONDS);
  }

  private begin(at: EpochSeconds): void {
    this.promise = null;
    this.submitted = null;
    this.dueAt = at;
    this.startAt = at + this.options.leadSeconds;
  }
}

const RUN_SECONDS = [600, 1800, 3600, 7200, 14_400] as const;
/** With less than this left, a refused user turns to the next start time. */
const SHORTEST_LEAD_SECONDS = 600;
const PAUSE_SECONDS = 60;
