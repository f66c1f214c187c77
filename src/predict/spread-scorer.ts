import { pinballLoss } from '../stats/pinball-loss.ts';
import type { Spread } from './quantity.ts';

/** Percentiles whose coverage is reported. */
export const COVERAGE_LEVELS = [0.1, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99] as const;

/** Share of outcomes that did not exceed the forecast's percentile. */
export interface LevelCoverage {
  readonly level: number;
  readonly share: number;
}

/** How good the forecasts of one predictor of any quantity turned out. Null figures rest on no job. */
export interface SpreadScore {
  /** Jobs whose outcome is known, answered or not. */
  readonly count: number;
  /** Of these, jobs whose point was infinite; errors leave them out. */
  readonly unansweredCount: number;
  readonly averageAbsoluteError: number | null;
  /** Mean over the percentiles that history supported. */
  readonly pinballLoss: number | null;
  /**
   * Over the jobs of which any percentile is told; one that is not told there, for want of history, holds. Empty where
   * none is told of any.
   */
  readonly coverage: readonly LevelCoverage[];
}

/** Collects forecasts of any quantity with what they came out as, in any order, and scores them. */
export class SpreadScorer {
  private count = 0;
  /** Of which any percentile is told. */
  private toldCount = 0;
  private readonly errors: number[] = [];
  private readonly losses: number[] = [];
  private readonly covered: number[] = COVERAGE_LEVELS.map(() => 0);

  add({ point, percentiles }: Pick<Spread, 'point' | 'percentiles'>, actual: number): void {
    this.count++;
    if (Number.isFinite(point)) this.errors.push(Math.abs(point - actual));
    const supported = percentiles.flatMap((bound, i) =>
      Number.isFinite(bound) ? [pinballLoss(bound, actual, (i + 1) / 100)] : [],
    );
    if (supported.length === 0) return;
    this.toldCount++;
    this.losses.push(meanOf(supported));
    COVERAGE_LEVELS.forEach((level, i) => {
      const bound = percentiles[Math.round(level * 100) - 1] ?? Number.POSITIVE_INFINITY;
      if (actual <= bound) this.covered[i] = (this.covered[i] ?? 0) + 1;
    });
  }

  /** The scores of everything added so far. */
  score(): SpreadScore {
    const { errors, losses } = this;
    return {
      count: this.count,
      unansweredCount: this.count - errors.length,
      averageAbsoluteError: errors.length === 0 ? null : meanOf(errors),
      pinballLoss: losses.length === 0 ? null : meanOf(losses),
      coverage: COVERAGE_LEVELS.flatMap((level, i) =>
        this.toldCount === 0 ? [] : [{ level, share: (this.covered[i] ?? 0) / this.toldCount }],
      ),
    };
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
