import type { EpochSeconds } from '../../domain/clock.ts';
import { invariant } from '../../domain/failures.ts';
import type { JobRequest } from '../../domain/job.ts';
import type { NativeJob } from '../../domain/site-adapter.ts';
import { endOf, mostHoldSeconds, planChain } from '../../plan/job/chain.ts';
import type { JobCard } from '../../sim/job-source.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import type { ChainSite } from './chain-site.ts';

/** When a successor is handed in: when its predecessor has ended, together with it, or ahead as `planChain` says. */
export type ChainRule =
  | { readonly kind: 'AFTER_END' }
  | { readonly kind: 'AT_ONCE' }
  | { readonly kind: 'AHEAD'; readonly holdPrice: number };

/** A job of a chain and whose it is. */
export interface ChainJob {
  readonly job: SimulatedJob;
  readonly card: JobCard;
}

/** What became of a chain. */
export interface ChainOutcome {
  /** Between the end of the first job and the beginning of the second one's work. */
  readonly gapSeconds: number;
  /** For how long the second held its processors before its work, those of jobs that gave up included. */
  readonly heldSeconds: number;
  /** Of the second job's own work. */
  readonly runSeconds: number;
  readonly processors: number;
  /** How often it gave up waiting. */
  readonly givenUp: number;
  /** Whether the job that did the work was submitted ahead. */
  readonly wasAhead: boolean;
}

export interface ChainOptions {
  readonly rule: ChainRule;
  /** How often the site is looked at: nothing that happens there is known before the next look. */
  readonly lookSeconds: number;
  /** How often the submission time is chosen anew. */
  readonly recomputeSeconds: number;
}

/** One chain at a site, from the submission of its first job on. `next` is called at `dueAt`, in turn with others. */
export class Chain {
  dueAt: EpochSeconds;
  outcome: ChainOutcome | null = null;
  private firstRow = NO_JOB;
  private nextRow = NO_JOB;
  private isGated = false;
  private openedAt: EpochSeconds | null = null;
  private heldSeconds = 0;
  private givenUp = 0;
  private planAt: EpochSeconds = Number.NEGATIVE_INFINITY;
  private submitAt: EpochSeconds = Number.POSITIVE_INFINITY;

  constructor(
    private readonly site: ChainSite,
    private readonly first: ChainJob,
    private readonly second: ChainJob,
    private readonly options: ChainOptions,
  ) {
    this.dueAt = first.job.submitAt;
  }

  /** Does what is due at `dueAt`, which is now at the site, and sets the next `dueAt`. */
  next(): void {
    if (this.firstRow === NO_JOB) this.begin();
    else this.look();
    const next = Math.min(this.dueAt + this.options.lookSeconds, Math.max(this.submitAt, this.dueAt + 1));
    this.dueAt = this.outcome ? Number.POSITIVE_INFINITY : next;
  }

  private begin(): void {
    const { job, card } = this.first;
    this.firstRow = this.site.submit(job, card);
    if (this.options.rule.kind === 'AT_ONCE') this.submitGated(job.walltimeSeconds);
  }

  private look(): void {
    const first = this.site.seen(this.firstRow);
    if (this.nextRow === NO_JOB) this.maySubmit(first);
    if (this.nextRow === NO_JOB) return;
    const second = this.site.seen(this.nextRow);
    if (this.isGated && this.openedAt === null) this.lookAtGate(first, second);
    else if (second.startAt !== null && first.state === 'ENDED') this.conclude(first.endAt, second.startAt);
  }

  private lookAtGate(first: NativeJob, second: NativeJob): void {
    if (second.state === 'ENDED') {
      this.givenUp++;
      this.heldSeconds += second.endAt - (second.startAt ?? second.endAt);
      this.nextRow = NO_JOB;
      this.maySubmit(first);
    } else if (second.state === 'RUNNING' && first.state === 'ENDED') {
      this.openedAt = this.site.now;
      this.site.begin(this.nextRow);
      this.heldSeconds += this.openedAt - second.startAt;
      this.conclude(first.endAt, this.openedAt);
    }
  }

  private conclude(endedAt: EpochSeconds, beganAt: EpochSeconds): void {
    const { processors, runSeconds } = this.second.job;
    this.outcome = {
      gapSeconds: beganAt - endedAt,
      heldSeconds: this.heldSeconds,
      runSeconds,
      processors,
      givenUp: this.givenUp,
      wasAhead: this.isGated,
    };
  }

  private maySubmit(first: NativeJob): void {
    const { rule, recomputeSeconds } = this.options;
    const { now } = this.site;
    if (first.state === 'ENDED') {
      this.isGated = false;
      this.submitAt = Number.POSITIVE_INFINITY;
      this.nextRow = this.site.submit(this.second.job, this.second.card);
      return;
    }
    if (rule.kind !== 'AHEAD' || this.givenUp >= MOST_GIVEN_UP) return;
    if (now < this.planAt && now < this.submitAt) return;
    this.planAt = now + recomputeSeconds;
    const plan = this.plan(first, rule.holdPrice);
    this.submitAt = plan?.submitAt ?? Number.POSITIVE_INFINITY;
    if (plan && plan.submitAt <= now) this.submitGated(plan.gateSeconds);
  }

  private plan(first: NativeJob, holdPrice: number) {
    const { site } = this;
    const work = requestOf(this.first);
    const { walltimeSeconds } = this.second.job;
    const isRunning = first.state === 'RUNNING';
    const predecessor = {
      beganAt: first.startAt,
      runtime: site.runtimeOf(work),
      walltimeSeconds: this.first.job.walltimeSeconds,
      wait: isRunning ? null : site.waitOf(work),
    };
    const most = mostHoldSeconds(walltimeSeconds, null);
    const wait = site.waitOf({ ...requestOf(this.second), requestedWalltimeSeconds: walltimeSeconds + most });
    return planChain({
      endAt: endOf(predecessor, site.now),
      waitSeconds: wait.quantileSeconds,
      now: site.now,
      mostHoldSeconds: most,
      holdPrice,
    });
  }

  private submitGated(gateSeconds: number): void {
    const { job, card } = this.second;
    invariant(this.openedAt === null, 'a chain was submitted that has begun');
    this.isGated = true;
    this.submitAt = Number.POSITIVE_INFINITY;
    const walltimeSeconds = job.walltimeSeconds + gateSeconds;
    this.nextRow = this.site.submit({ ...job, walltimeSeconds, gateSeconds }, card);
  }
}

function requestOf({ job, card }: ChainJob): JobRequest {
  const { processors, walltimeSeconds: requestedWalltimeSeconds } = job;
  return { user: card.user, queue: card.queue, processors, requestedWalltimeSeconds };
}

const NO_JOB = -1;
/** As live: after so many that came to nothing it waits for the end. */
const MOST_GIVEN_UP = 2;
