import type { EpochSeconds } from '../../domain/clock.ts';
import { probabilityToStartWithin, type WaitForecast } from '../../domain/forecast.ts';
import type { Trajectory, TrajectoryPoint } from '../../domain/plan.ts';
import type { ReservationState } from '../../domain/reservation.ts';
import { pointAfterRelease } from '../../plan/price.ts';
import { latestSubmitAt, replan } from '../../plan/replan.ts';
import {
  applyMoves,
  type ChargedAmount,
  chargesOf,
  type Due,
  isLookFresh,
  isNews,
  isOpen,
  type KeptPromise,
  type LastSeen,
  type Moves,
  noMoves,
  releasable,
  UNSEEN,
  whatAcceptanceMeans,
  whatAskingToCancelMeans,
  whatCancellationMeans,
  whatFollows,
  whatIntentMeans,
  whatIsDue,
  whatItsMomentMeans,
  whatLateSubmissionMeans,
  whatLossMeans,
  whatReleaseMeans,
  whatSilenceMeans,
  whatTheEndMeans,
} from '../../plan/reservation/life.ts';
import { withinCap } from '../../plan/reserve.ts';
import { latenessOf } from '../../predict/dependence.ts';
import { promisedNow } from './promised-now.ts';
import type { PromisingSite, ReservedWork } from './promising-site.ts';

/** What is promised of one piece of work, and how the promise is kept. */
export interface VarqTerms {
  readonly work: ReservedWork;
  /** The submission time that was chosen when the promise was made. */
  readonly point: TrajectoryPoint;
  /** That was promised. */
  readonly probability: number;
  /** That is aimed at whenever the submission time is chosen anew. */
  readonly aimedProbability: number;
  /** What certainty is worth to it, see `holdPriceSeconds`; null for a leg of a co-allocation. */
  readonly priceSeconds: number | null;
  /** Of the group that it is a leg of; null for none. */
  readonly coAllocationId: string | null;
  /** Most the caller pays in the worst case, own work included; null for any charge. */
  readonly maxChargeProcessorSeconds: number | null;
  /** Most that holding processors may cost on average, from now on and before; null for any. */
  readonly maxExpectedPaddingProcessorSeconds: number | null;
  /** How often the submission time is chosen anew while the promise waits. */
  readonly recomputeSeconds: number;
}

/**
 * One promise at a simulated site, from the moment it is made until it is known whether it was kept. What follows from
 * what is decided where it is for the service (`src/plan/reservation`); here is when it looks and acts. `next` is
 * called at `dueAt`, in turn with others at the site.
 */
export class VarqReservation {
  kept: KeptPromise;
  dueAt: EpochSeconds;
  /** How often it gave processors back that it held early. */
  releases = 0;
  private forecast: WaitForecast | null = null;
  private job = NO_JOB;
  /** When its submission time was last chosen. */
  private lookedAt: EpochSeconds;
  private lastSeen: LastSeen = UNSEEN;

  /** @param onMoves told of all that follows for it, after it has */
  constructor(
    private readonly site: PromisingSite,
    readonly terms: VarqTerms,
    readonly promisedAt: EpochSeconds,
    private readonly onMoves: (kept: KeptPromise, moves: Moves) => void = () => undefined,
  ) {
    this.kept = promisedNow(terms);
    this.lookedAt = promisedAt;
    this.dueAt = this.nextDueAt(promisedAt);
    this.tellHeld();
  }

  get state(): ReservationState {
    return this.kept.reservation.state;
  }

  /** Whether it is still to be seen what becomes of it. */
  get isOpen(): boolean {
    return isOpen(this.kept.reservation);
  }

  /** When its present job was submitted; null when it has none. */
  get submittedAt(): EpochSeconds | null {
    return this.kept.execution.nativeSubmittedAt;
  }

  /** The number of its present job; null when it has none. */
  get presentJob(): number | null {
    return this.job === NO_JOB ? null : this.job;
  }

  /** That it would start in time, by the forecast at its last submission; 0 when it was never submitted. */
  get submittedProbability(): number {
    const { forecast, submittedAt, terms } = this;
    if (forecast === null || submittedAt === null) return 0;
    return probabilityToStartWithin(forecast, terms.work.startAt - submittedAt);
  }

  /** Share of the forecast's distribution at submission that its wait exceeded; null while that is not known. */
  get lateness(): number | null {
    const { submittedAt } = this;
    if (this.forecast === null || submittedAt === null) return null;
    const { startedAt } = this.kept.execution;
    const waitSeconds = startedAt === null ? null : startedAt - submittedAt;
    return latenessOf(
      this.forecast,
      waitSeconds,
      this.state === 'MISSED' ? this.terms.work.startAt - submittedAt : null,
    );
  }

  /** What its processors are spent on. A job that still runs will end as its work does. */
  get charges(): ChargedAmount[] {
    const { execution, reservation } = this.kept;
    const { startAt, runSeconds } = this.terms.work;
    const endedAt = execution.endedAt ?? Math.max(startAt, execution.startedAt ?? startAt) + runSeconds;
    return chargesOf({ ...execution, endedAt }, reservation);
  }

  /** Does what is due at `dueAt`, which is now at the site, and sets the next `dueAt`. */
  next(): void {
    const now = this.dueAt;
    this.look(now);
    this.act(now);
    this.dueAt = this.nextDueAt(now);
  }

  /** Takes in what the site says of its job now. */
  look(now: EpochSeconds): void {
    const { execution } = this.kept;
    if (this.job === NO_JOB || execution.state === 'ENDED') return;
    const job = this.site.seen(this.job);
    this.lastSeen = {
      waitingAt: job?.state === 'WAITING' ? now : null,
      runningAt: job?.state === 'RUNNING' ? now : null,
    };
    if (job === null) this.noteSilence(now);
    else if (isNews(execution, job)) this.move(whatFollows({ ...this.kept, siteName: SITE }, job, now));
    if (this.due(now) === 'SETTLE') this.act(now);
  }

  /** Gives it up: withdraws the job, or ends it when it runs. */
  cancel(now: EpochSeconds): void {
    if (!this.isOpen) return;
    this.move({ ...noMoves(now), cancelBecause: 'another leg won' });
    this.act(now);
    this.dueAt = Number.POSITIVE_INFINITY;
  }

  private noteSilence(now: EpochSeconds): void {
    const { patienceSeconds } = this.site;
    const silence = { observedAt: now, now, patienceSeconds, hasAccounting: true };
    const noted = whatSilenceMeans(this.kept.execution, silence);
    this.move(noted ?? whatLossMeans({ ...this.kept, siteName: SITE }, silence));
  }

  private due(now: EpochSeconds): Due | null {
    return whatIsDue(this.kept.execution, this.kept.reservation, now);
  }

  /** Does what is due now. */
  private act(now: EpochSeconds): void {
    const { execution, reservation } = this.kept;
    const due = this.due(now);
    if (due === 'KEEP_WAITING') this.keepWaiting(now);
    else if (due === 'HOLD_OR_RELEASE') this.holdOrRelease(now);
    else if (due === 'DECIDE') this.decide(now);
    else if (due === 'CANCEL') this.carryOutCancel(now);
    else if (due === 'SETTLE') this.move(whatTheEndMeans(execution, reservation, now));
  }

  private keepWaiting(now: EpochSeconds): void {
    const { work, recomputeSeconds } = this.terms;
    const submitAt = this.kept.execution.submitAt ?? now;
    if (now >= work.startAt) this.move(whatLateSubmissionMeans(this.kept, now));
    else if (submitAt <= now && isLookFresh(this.lookedAt, now, recomputeSeconds)) this.submit(now);
    else this.replan(now);
  }

  private replan(now: EpochSeconds): void {
    const point = replan({ ...this.terms, latestSubmitAt: this.latestSubmitAt(now) }, this.trajectory());
    this.lookedAt = now;
    if (point) this.move({ ...noMoves(now), execution: { submitAt: point.submitAt } });
  }

  private latestSubmitAt(now: EpochSeconds): EpochSeconds {
    const { work, recomputeSeconds } = this.terms;
    const submitAt = this.kept.execution.submitAt ?? now;
    return latestSubmitAt({ ...this.terms, submitAt, startAt: work.startAt }, recomputeSeconds);
  }

  private submit(now: EpochSeconds): void {
    const { processors, runSeconds, startAt } = this.terms.work;
    const walltimeSeconds = runSeconds + Math.max(0, startAt - now);
    this.move(whatIntentMeans(this.kept.execution, walltimeSeconds, processors, now));
    this.forecast = this.site.forecastOf(processors, walltimeSeconds, now);
    this.job = this.site.submit(this.terms.work);
    const accepted = { nativeId: String(this.job), submittedAt: now };
    this.move(whatAcceptanceMeans(this.kept, accepted, { reason: null, isUnsettled: false, now }));
  }

  /** Gives processors back that are held too early for what certainty is worth. */
  private holdOrRelease(now: EpochSeconds): void {
    const intervals = { recomputeIntervalSeconds: this.terms.recomputeSeconds, observeIntervalSeconds: 0 };
    const holding = releasable(this.kept.execution, this.kept.reservation, intervals, now);
    const again = holding && pointAfterRelease(holding, this.trajectory(this.job));
    if (!again) return;
    this.lookedAt = now;
    this.move(whatReleaseMeans(again.submitAt, now));
    this.site.cancel(this.job);
    this.look(now);
  }

  private decide(now: EpochSeconds): void {
    this.move(whatItsMomentMeans(this.kept, this.lastSeen, { now, lookAgainSeconds: this.terms.recomputeSeconds }));
    if (this.due(now) === 'CANCEL') this.carryOutCancel(now);
  }

  private carryOutCancel(now: EpochSeconds): void {
    const { execution, reservation } = this.kept;
    if (this.job === NO_JOB) {
      this.move(whatCancellationMeans(execution, reservation, now));
      this.act(now);
      return;
    }
    this.site.cancel(this.job);
    this.move(whatAskingToCancelMeans(reservation, { now, lookAgainSeconds: this.terms.recomputeSeconds }));
    this.look(now);
  }

  private move(moves: Moves): void {
    this.kept = applyMoves(this.kept, moves);
    if (moves.execution.state === 'HELD') this.job = NO_JOB;
    if (moves.attempt === 'RELEASED') this.releases++;
    this.tellHeld();
    this.onMoves(this.kept, moves);
  }

  /** Other promises at the site are to know what this one holds back. */
  private tellHeld(): void {
    const { state, submitAt } = this.kept.execution;
    const { processors, runSeconds: walltimeSeconds, startAt: holdUntilAt } = this.terms.work;
    const isHeld = this.isOpen && state === 'HELD' && submitAt !== null;
    this.site.noteHeld(this, isHeld ? { processors, walltimeSeconds, submitAt, holdUntilAt } : null);
  }

  private trajectory(without?: number): Trajectory {
    const { work, maxChargeProcessorSeconds, maxExpectedPaddingProcessorSeconds } = this.terms;
    const left = (most: number | null) =>
      most === null ? null : most - this.kept.reservation.releasedProcessorSeconds;
    const limits = {
      processors: work.processors,
      maxChargeProcessorSeconds: left(maxChargeProcessorSeconds),
      maxExpectedPaddingProcessorSeconds: left(maxExpectedPaddingProcessorSeconds),
    };
    return withinCap(limits, this.site.trajectoryOf(work, without, this));
  }

  private nextDueAt(now: EpochSeconds): EpochSeconds {
    if (!this.isOpen) return Number.POSITIVE_INFINITY;
    const { work, priceSeconds, recomputeSeconds } = this.terms;
    const { state, submitAt } = this.kept.execution;
    if (state === 'HELD') return Math.max(now, Math.min(submitAt ?? now, now + recomputeSeconds));
    if (now >= work.startAt) return now + recomputeSeconds;
    return priceSeconds === null ? work.startAt : Math.min(work.startAt, now + recomputeSeconds);
  }
}

/** It is nobody's to read. */
const SITE = 'the site';
const NO_JOB = -1;
