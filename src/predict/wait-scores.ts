import { probabilityToStartWithin, type WaitForecast } from '../domain/forecast.ts';
import { leastRelativeError } from '../stats/least-relative-error.ts';
import { pinballLoss } from '../stats/pinball-loss.ts';
import { Reliability, type ReliabilityBin } from '../stats/reliability.ts';
import { COVERAGE_LEVELS, type LevelCoverage, SpreadScorer } from './spread-scorer.ts';

/** Upper ends of the wait classes, in seconds: [0, 100), [100, 1000), ... [100000, infinity). hariharan, figure 5. */
export const WAIT_CLASS_ENDS_SECONDS = [100, 1000, 10_000, 100_000, Number.POSITIVE_INFINITY] as const;

/** Times within which "starts by" is scored, in seconds. */
export const START_HORIZONS_SECONDS = [60, 600, 3600, 21_600, 86_400] as const;

/** Expected of a job of which nothing is known. */
const USUAL_RUN_SECONDS = 3600;

/** Errors of the jobs whose actual wait lies in one class. */
export interface WaitClassScore {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly count: number;
  /** Null in an empty class. */
  readonly averageAbsoluteErrorSeconds: number | null;
}

/** Share of waits that did not exceed the forecast's percentile. */
export interface CoverageScore extends LevelCoverage {
  /** Median of the bounds; `Infinity` when history supported it too seldom. */
  readonly medianBoundSeconds: number;
}

/** How good the forecasts of one predictor turned out. Null figures rest on no job. */
export interface WaitScore {
  /** Jobs with a forecast, answered or not. */
  readonly count: number;
  /** Of these, jobs whose point was infinite; errors leave them out. */
  readonly unansweredCount: number;
  readonly averageAbsoluteErrorSeconds: number | null;
  /** Mean of |error| / (actual wait + runtime), over jobs with a known runtime. hariharan, section VI-A. */
  readonly scaledAverageAbsoluteError: number | null;
  readonly medianWaitSeconds: number | null;
  readonly classes: readonly WaitClassScore[];
  /** Mean of |error| / (actual wait + runtime) of the point that is least wrong so (`leastRelativeError`). */
  readonly relativeError: number | null;
  /** Mean pinball loss in seconds over the percentiles history supported. */
  readonly pinballLossSeconds: number | null;
  /**
   * Continuous ranked probability score in seconds: twice the mean pinball loss over the percentiles 1 to 99 (Gneiting
   * and Ranjan, Comparing density forecasts using threshold- and quantile-weighted scoring rules, 2011). Jobs with a
   * percentile that history does not support are left out: of two predictors the one that leaves more of them open may
   * so look better.
   */
  readonly crpsSeconds: number | null;
  /** On how many jobs it rests. */
  readonly crpsCount: number;
  /** As of `SpreadScore`. */
  readonly coverage: readonly CoverageScore[];
  /** Of "starts within t" over all horizons, and over the jobs that count for coverage. */
  readonly brierScore: number | null;
  readonly reliability: readonly ReliabilityBin[];
}

/** Collects forecasts of an experiment with what became of their jobs, in any order, and scores them. */
export class WaitScorer {
  private readonly spreads = new SpreadScorer();
  private readonly errors: number[] = [];
  private readonly waits: number[] = [];
  private readonly scaledErrors: number[] = [];
  private readonly relativeErrors: number[] = [];
  private readonly rankedScores: number[] = [];
  private readonly bounds = COVERAGE_LEVELS.map(() => [] as number[]);
  private readonly reliability = new Reliability();

  /**
   * @param waitSeconds that the job actually waited
   * @param runSeconds that it ran; null when that is not known
   * @param expectedRunSeconds what was to be expected of that at its submission
   */
  add(
    forecast: Pick<WaitForecast, 'pointSeconds' | 'quantileSeconds'>,
    waitSeconds: number,
    runSeconds: number | null,
    expectedRunSeconds: number = USUAL_RUN_SECONDS,
  ): void {
    const error = Math.abs(forecast.pointSeconds - waitSeconds);
    this.errors.push(error);
    this.waits.push(waitSeconds);
    const responseSeconds = waitSeconds + (runSeconds ?? Number.NaN);
    if (Number.isFinite(error) && responseSeconds > 0) this.scaledErrors.push(error / responseSeconds);
    const about = leastRelativeError(forecast.quantileSeconds, expectedRunSeconds);
    if (Number.isFinite(about) && responseSeconds > 0) {
      this.relativeErrors.push(Math.abs(about - waitSeconds) / responseSeconds);
    }
    const losses = forecast.quantileSeconds.map((bound, i) => pinballLoss(bound, waitSeconds, (i + 1) / 100));
    if (losses.every(Number.isFinite)) this.rankedScores.push(2 * (mean(losses) ?? 0));
    this.spreads.add({ point: forecast.pointSeconds, percentiles: forecast.quantileSeconds }, waitSeconds);
    if (!tellsLevels(forecast)) return;
    COVERAGE_LEVELS.forEach((level, i) => {
      this.bounds[i]?.push(forecast.quantileSeconds[Math.round(level * 100) - 1] ?? Number.POSITIVE_INFINITY);
    });
    for (const horizon of START_HORIZONS_SECONDS) {
      this.reliability.add(probabilityToStartWithin(forecast, horizon), waitSeconds <= horizon);
    }
  }

  /** The scores of everything added so far. */
  score(): WaitScore {
    const { count, unansweredCount, averageAbsoluteError, pinballLoss: loss, coverage } = this.spreads.score();
    return {
      count,
      unansweredCount,
      averageAbsoluteErrorSeconds: averageAbsoluteError,
      scaledAverageAbsoluteError: mean(this.scaledErrors),
      medianWaitSeconds: median(this.waits),
      classes: this.scoreClasses(),
      relativeError: mean(this.relativeErrors),
      pinballLossSeconds: loss,
      crpsSeconds: mean(this.rankedScores),
      crpsCount: this.rankedScores.length,
      coverage: coverage.map((level, i) => ({
        ...level,
        medianBoundSeconds: median(this.bounds[i] ?? []) ?? Number.POSITIVE_INFINITY,
      })),
      brierScore: this.reliability.brierScore(),
      reliability: this.reliability.diagram(),
    };
  }

  private scoreClasses(): WaitClassScore[] {
    return WAIT_CLASS_ENDS_SECONDS.map((toSeconds, i) => {
      const fromSeconds = WAIT_CLASS_ENDS_SECONDS[i - 1] ?? 0;
      const errors = this.errors.filter((error, job) => {
        const wait = this.waits[job] ?? 0;
        return Number.isFinite(error) && wait >= fromSeconds && wait < toSeconds;
      });
      return { fromSeconds, toSeconds, count: errors.length, averageAbsoluteErrorSeconds: mean(errors) };
    });
  }
}

/** Whether a forecast says more than a point: any percentile. */
export function tellsLevels({ quantileSeconds }: Pick<WaitForecast, 'quantileSeconds'>): boolean {
  return quantileSeconds.some(Number.isFinite);
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The lower median; sorting keeps infinities, which a quick selection would not. */
function median(values: readonly number[]): number | null {
  return Float64Array.from(values).sort()[Math.floor((values.length - 1) / 2)] ?? null;
}
