import type { SubmittedJob } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import type { SlotsPredictor } from '../../site-quantity.ts';

/** Processors that are going to be asked for at a site, by a load predictor that is given, as of the last look. */
export class ExpectedArrivals {
  private hourly: readonly number[] = [];

  constructor(private readonly predictor: SlotsPredictor) {}

  submitted(job: SubmittedJob): void {
    this.predictor.submitted?.(job);
  }

  /** Takes in what the site says at one moment, after what happened before it has been looked at. */
  observed(state: Snapshot): void {
    this.predictor.observed?.(state);
    const { slots } = this.predictor.predict({ slots: HOURS, slotSeconds: HOUR_SECONDS }, state, state.observedAt);
    this.hourly = slots.map(({ point }) => point);
  }

  /** In so many seconds from the last look, at most seven hours; not-a-number where nothing is known. */
  within(seconds: number): number {
    const hours = Math.min(HOURS, Math.max(0, seconds) / HOUR_SECONDS);
    const whole = this.hourly.slice(0, Math.floor(hours)).reduce((sum, processors) => sum + processors, 0);
    const rest = hours % 1 === 0 ? 0 : (hours % 1) * (this.hourly[Math.floor(hours)] ?? Number.NaN);
    return this.hourly.length === 0 || !Number.isFinite(whole + rest) ? Number.NaN : whole + rest;
  }
}

const HOUR_SECONDS = 3600;
const HOURS = 7;
