import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import { pointAfterRelease } from '../plan/price.ts';
import { replan } from '../plan/replan.ts';
import { withinCap } from '../plan/reserve.ts';
import { latenessOf } from '../predict/dependence.ts';
import type { ReservedWork, VarqSite } from './varq-site.ts';

/** What is promised of one piece of work, and how the promise is kept. */
export interface ReservationTerms {
  readonly work: ReservedWork;
  /** The submission time that was chosen when the promise was made. */
  readonly point: TrajectoryPoint;
  /** That was promised. */
  readonly probability: number;
  /** That is aimed at whenever the submission time is chosen anew. */
  readonly aimedProbability: number;
  /** What certainty is worth to it, see `holdPriceSeconds`; null for a leg of a co-allocation. */
  readonly priceSeconds: number | null;
  /** Most the caller pays in the worst case, own work included; null for any charge. */
  readonly maxChargeProcessorSeconds: number | null;
  /** How often the submission time is chosen anew while the promise waits. */
  readonly recomputeSeconds: number;
}

/**
 * One promise at a simulated site, from the moment it is made until it is known whether it was kept. `next` is called
 * at `dueAt`, in turn with others at the site.
 */
export class VarqReservation {
  state: 'HELD' | 'SUBMITTED' | 'KEPT' | 'MISSED' | 'CANCELLED' = 'HELD';
  dueAt: EpochSeconds;
  submittedAt: EpochSeconds | null = null;
  private point: TrajectoryPoint;
  private forecast: WaitForecast | null = null;
  private job = -1;
  private releasedProcessorSeconds = 0;
  private cancelledAt: EpochSeconds | null = null;
  /** How often it gave processors back that it held early. */
  releases = 0;

  constructor(
    private readonly site: VarqSite,
    readonly terms: ReservationTerms,
    now: EpochSeconds,
  ) {
    this.point = terms.point;
    this.dueAt = now;
    this.waitFrom(now);
  }

  /** Whether it is still to be seen what becomes of it. */
  get isOpen(): boolean {
    return this.state === 'HELD' || this.state === 'SUBMITTED';
  }

  /** Share of the forecast's distribution at submission that its wait exceeded; null while that is not known. */
  get lateness(): number | null {
    if (this.forecast === null || this.submittedAt === null) return null;
    const waitSeconds = this.startedAt === null ? null : this.startedAt - this.submittedAt;
    return latenessOf(
      this.forecast,
      waitSeconds,
      this.state === 'MISSED' ? this.terms.work.startAt - this.submittedAt : null,
    );
  }

  /** When its job began to hold processors; null when it has not. */
  get startedAt(): EpochSeconds | null {
    return this.job < 0 ? null : this.site.startOf(this.job);
  }

  /** Processor-seconds that were charged for nothing: until the start time, or the cancellation. */
  get paddingProcessorSeconds(): number {
    const { processors, startAt } = this.terms.work;
    const heldUntil = Math.min(startAt, this.cancelledAt ?? startAt);
    const held = this.startedAt === null ? 0 : Math.max(0, heldUntil - this.startedAt);
    return this.releasedProcessorSeconds + processors * held;
  }

  /** Does what is due at `dueAt`, which is now at the site, and sets the next `dueAt`. */
  next(): void {
    const now = this.dueAt;
    if (this.state === 'SUBMITTED' && now < this.terms.work.startAt) this.followSubmitted(now);
    else if (this.state === 'SUBMITTED') this.settle();
    else if (this.point.submitAt <= now) this.submit(now);
    else this.replan(now);
  }

  /** Gives it up: withdraws the job, or ends it when it runs. */
  cancel(now: EpochSeconds): void {
    if (!this.isOpen) return;
    if (this.job >= 0) this.site.cancel(this.job);
    this.cancelledAt = now;
    this.state = 'CANCELLED';
    this.dueAt = Number.POSITIVE_INFINITY;
  }

  private submit(now: EpochSeconds): void {
    const { processors, runSeconds, startAt } = this.terms.work;
    this.forecast = this.site.forecastOf(processors, runSeconds + Math.max(0, startAt - now), now);
    this.job = this.site.submit(this.terms.work);
    this.submittedAt = now;
    this.state = 'SUBMITTED';
    this.waitSubmitted(now);
  }

  /** Gives processors back that are held too early for what certainty is worth. */
  private followSubmitted(now: EpochSeconds): void {
    const { work, priceSeconds, recomputeSeconds } = this.terms;
    const { startedAt, releases } = this;
    const job = { holdSeconds: work.startAt - now, leastGainSeconds: 2 * recomputeSeconds, releases };
    const isEarly = startedAt !== null && priceSeconds !== null;
    const again = isEarly && pointAfterRelease({ ...job, priceSeconds }, this.trajectory(this.job));
    if (again) this.release(now, startedAt, again);
    else this.waitSubmitted(now);
  }

  private release(now: EpochSeconds, startedAt: EpochSeconds, again: TrajectoryPoint): void {
    this.releasedProcessorSeconds += this.terms.work.processors * (now - startedAt);
    this.releases++;
    this.site.cancel(this.job);
    this.job = -1;
    this.submittedAt = null;
    this.state = 'HELD';
    this.point = again;
    this.waitFrom(now);
  }

  private waitSubmitted(now: EpochSeconds): void {
    const { work, priceSeconds, recomputeSeconds } = this.terms;
    this.dueAt = priceSeconds === null ? work.startAt : Math.min(work.startAt, now + recomputeSeconds);
  }

  private replan(now: EpochSeconds): void {
    this.point = replan({ ...this.terms, submitAt: this.point.submitAt }, this.trajectory()) ?? this.point;
    this.waitFrom(now);
  }

  private trajectory(without?: number): Trajectory {
    const { work, maxChargeProcessorSeconds: most } = this.terms;
    const maxChargeProcessorSeconds = most === null ? null : most - this.releasedProcessorSeconds;
    const limits = { processors: work.processors, maxChargeProcessorSeconds };
    return withinCap(limits, this.site.trajectoryOf(work, without));
  }

  private waitFrom(now: EpochSeconds): void {
    this.dueAt = Math.max(now, Math.min(this.point.submitAt, now + this.terms.recomputeSeconds));
  }

  private settle(): void {
    this.state = this.startedAt === null ? 'MISSED' : 'KEPT';
    this.dueAt = Number.POSITIVE_INFINITY;
    if (this.state === 'MISSED') this.site.cancel(this.job);
  }
}
