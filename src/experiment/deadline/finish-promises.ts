import type { EpochSeconds } from '../../domain/clock.ts';
import {
  aimedFinish,
  fadedShift,
  NO_OUTCOME,
  nextFinishShift,
  promisableFinish,
} from '../../plan/deadline/finish-aim.ts';
import type { FinishForecast } from '../../plan/job/finish.ts';
import type { DeadlineTally, FinishedJob } from './deadline-tally.ts';

/** A deadline that was promised. */
export interface PromisedDeadline {
  readonly deadlineAt: EpochSeconds;
  readonly promised: number;
}

/**
 * The promises of one probability at one site. Its aim follows what became of those before, as it is known at their
 * deadlines.
 */
export class FinishPromises {
  private learned = NO_OUTCOME;

  constructor(
    readonly probability: number,
    private readonly tally: DeadlineTally,
  ) {}

  /**
   * The deadline of a caller who asks for too much and takes the earliest moment on offer instead, which is promised
   * just the probability asked for; null where no moment has it.
   */
  earliest(finish: FinishForecast, now: EpochSeconds): PromisedDeadline | null {
    const shift = fadedShift(this.learned, now);
    const deadlineAt = finish.earliestAt(aimedFinish(this.probability, shift));
    if (deadlineAt === null) return this.refused(finish.most, shift);
    this.tally.addPromise(this.probability, finish.probabilityBy(deadlineAt), deadlineAt - now);
    return { deadlineAt, promised: this.probability };
  }

  /**
   * A deadline that the caller sets, promised as much as its forecast is worth; null where that is less than asked for.
   */
  by(deadlineAt: EpochSeconds, finish: FinishForecast, now: EpochSeconds): PromisedDeadline | null {
    const shift = fadedShift(this.learned, now);
    const forecast = finish.probabilityBy(deadlineAt);
    if (forecast < aimedFinish(this.probability, shift)) return this.refused(forecast, shift);
    const promised = Math.max(this.probability, promisableFinish(forecast, shift));
    this.tally.addPromise(promised, forecast, deadlineAt - now);
    return { deadlineAt, promised };
  }

  /** Takes in what became of a promise, at its deadline. @param job null while it has not ended */
  decide({ deadlineAt, promised }: PromisedDeadline, job: FinishedJob | null): void {
    const kept = job !== null && !job.isKilled && job.endAt <= deadlineAt;
    this.tally.addOutcome(kept);
    this.learned = nextFinishShift(this.learned, { probability: promised, kept, at: deadlineAt });
  }

  private refused(forecast: number, shift: number): null {
    this.tally.addRefusal(promisableFinish(forecast, shift));
    return null;
  }
}
