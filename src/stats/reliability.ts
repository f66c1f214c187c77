import { keepClass } from '../domain/kept-classes.ts';
/** Forecasts of about the same probability and what became of them: one point of a reliability diagram. */
export interface ReliabilityBin {
  readonly count: number;
  readonly meanForecast: number;
  readonly observedShare: number;
}

/**
 * Collects probability forecasts of yes-or-no events with their outcomes. Gives the Brier score (Brier, Verification of
 * forecasts expressed in terms of probability, Monthly Weather Review 78 (1950)) and the data of a reliability diagram
 * over equal bins.
 */
export class Reliability {
  private count = 0;
  private squaredErrors = 0;
  private readonly bins: { count: number; forecasts: number; events: number }[];

  /** @param binCount number of equal bins between 0 and 1; probability 1 belongs to the last */
  constructor(binCount = 10) {
    this.bins = Array.from({ length: binCount }, () => ({ count: 0, forecasts: 0, events: 0 }));
  }

  add(probability: number, happened: boolean): void {
    const event = happened ? 1 : 0;
    this.count++;
    this.squaredErrors += (probability - event) ** 2;
    const bin = this.bins[Math.min(this.bins.length - 1, Math.floor(probability * this.bins.length + 1e-9))];
    if (!bin) throw new RangeError(`probability ${probability} is not within [0, 1]`);
    bin.count++;
    bin.forecasts += probability;
    bin.events += event;
  }

  /** Mean squared difference of forecast and outcome, from 0 for perfect to 1; null with no forecast. */
  brierScore(): number | null {
    return this.count === 0 ? null : this.squaredErrors / this.count;
  }

  /** The bins that hold forecasts, by rising probability. */
  diagram(): ReliabilityBin[] {
    return this.bins
      .filter((bin) => bin.count > 0)
      .map(({ count, forecasts, events }) => ({
        count,
        meanForecast: forecasts / count,
        observedShare: events / count,
      }));
  }
}

keepClass(Reliability);
