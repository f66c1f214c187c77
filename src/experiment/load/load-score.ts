import type { SlotForecast } from '../../domain/forecast.ts';
import type { ExperimentRow } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';

/** Squared and absolute errors of expected values. */
export class LoadErrors {
  private count = 0;
  private squares = 0;
  private absolutes = 0;

  add(expected: number, actual: number): void {
    this.count++;
    this.squares += (expected - actual) ** 2;
    this.absolutes += Math.abs(expected - actual);
  }

  get mse(): number | null {
    return this.count === 0 ? null : rounded(this.squares / this.count, 2);
  }

  get mae(): number | null {
    return this.count === 0 ? null : rounded(this.absolutes / this.count, 3);
  }
}

/** Levels whose coming true is told. */
export const LOAD_LEVELS = [50, 80, 90, 95] as const;

/** How often percentiles came true. */
export class LoadLevels {
  private count = 0;
  private readonly within = LOAD_LEVELS.map(() => 0);

  add(forecast: SlotForecast, actual: number): void {
    this.count++;
    LOAD_LEVELS.forEach((level, i) => {
      this.within[i] = (this.within[i] as number) + shareWithin(forecast.percentiles, level, actual);
    });
  }

  /** Shares of outcomes within each level, `coverage50` and so on with what is told appended. */
  metrics(suffix: string): ExperimentRowMetrics {
    if (this.count === 0) return {};
    return Object.fromEntries(
      LOAD_LEVELS.map((level, i) => [
        `coverage${level}${suffix}`,
        rounded((this.within[i] as number) / this.count, 4) ?? 0,
      ]),
    );
  }
}

type ExperimentRowMetrics = Omit<ExperimentRow, 'name'>;

/**
 * 1 for an outcome below the percentile, 0 for one above. Where several percentiles are the very outcome, as 0 often
 * is, it counts as lying anywhere among them.
 */
function shareWithin(percentiles: readonly number[], level: number, actual: number): number {
  const below = percentiles.filter((bound) => bound < actual).length;
  const upTo = percentiles.filter((bound) => bound <= actual).length;
  if (level <= below) return 0;
  return level > upTo ? 1 : (level - below) / (upTo - below + 1);
}
