import type { EpochSeconds } from '../../domain/clock.ts';
import { twoStandardErrors } from '../../stats/two-standard-errors.ts';
import type { ExperimentRow } from '../experiment.ts';

/** What became of a job that was to be finished by a deadline. */
export interface FinishedJob {
  readonly processors: number;
  readonly startAt: EpochSeconds;
  readonly endAt: EpochSeconds;
  /** Whether its walltime ended it. */
  readonly isKilled: boolean;
}

/**
 * What became of some deadlines. Charges in processor-seconds: of jobs that run late where they are late, and of jobs
 * that are cancelled then, whose work so far is lost.
 */
export class DeadlineTally {
  private accepted = 0;
  private kept = 0;
  private promises = 0;
  private forecasts = 0;
  private refusals = 0;
  private bestOffers = 0;
  private work = 0;
  private keptWork = 0;
  private usedIfCancelled = 0;
  private leadSeconds = 0;

  /** Counts a deadline that was promised. */
  addPromise(promised: number, forecast: number, leadSeconds: number): void {
    this.accepted++;
    this.promises += promised;
    this.forecasts += forecast;
    this.leadSeconds += leadSeconds;
  }

  /** Counts one that was not. @param bestOffer the most that could be promised for it */
  addRefusal(bestOffer: number): void {
    this.refusals++;
    this.bestOffers += bestOffer;
  }

  addOutcome(kept: boolean): void {
    if (kept) this.kept++;
  }

  /** Counts what a promised job has run, once that is known. */
  addCharge({ processors, startAt, endAt, isKilled }: FinishedJob, deadlineAt: EpochSeconds): void {
    const work = processors * (endAt - startAt);
    this.work += work;
    if (!isKilled && endAt <= deadlineAt) this.keptWork += work;
    this.usedIfCancelled += processors * Math.max(0, Math.min(endAt, deadlineAt) - startAt);
  }

  /** A line in the words of `varq`. Nothing is held before the work, so what is charged is the work. */
  row(name: string): ExperimentRow {
    const actual = this.kept / this.accepted;
    return {
      name,
      accepted: this.accepted,
      promisedShare: rounded(this.promises / this.accepted),
      forecastShare: rounded(this.forecasts / this.accepted),
      actualShare: rounded(actual),
      twoStandardErrors: rounded(twoStandardErrors(actual, this.accepted)),
      requiredProcessorHours: Math.round(this.work / 3600),
      usedProcessorHours: Math.round(this.work / 3600),
      chargeRatio: 1,
      chargeRatioIfCancelled: rounded(this.usedIfCancelled / this.keptWork),
      meanLeadHours: rounded(this.leadSeconds / this.accepted / 3600),
      refusals: this.refusals,
      meanBestOffer: rounded(this.bestOffers / this.refusals),
    };
  }
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
