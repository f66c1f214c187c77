import { mean, median } from 'simple-statistics';
import { type RuntimeForecast, relativePointSeconds } from '../../domain/forecast.ts';
import { type SpreadScore, SpreadScorer } from '../../predict/spread-scorer.ts';
import { relativeAccuracy } from '../../stats/relative-accuracy.ts';

/** Upper ends of the classes of runtimes, in seconds: below a minute, ten, an hour, six, a day, and from there on. */
export const RUNTIME_CLASS_ENDS_SECONDS = [60, 600, 3600, 21_600, 86_400, Number.POSITIVE_INFINITY] as const;

/** A job that is over, as it is scored. */
export interface ScoredRuntime {
  readonly seconds: number;
  readonly requestedWalltimeSeconds: number | null;
}

/** Collects forecasts of runtimes with what they came out as. Figures that rest on no job are null. */
export class RuntimeScorer {
  private readonly spreads = new SpreadScorer();
  private readonly errors: number[] = [];
  private readonly accuracies: number[] = [];
  private readonly accuraciesOfRelativePoints: number[] = [];
  private readonly classes = RUNTIME_CLASS_ENDS_SECONDS.map((): number[] => []);
  private underestimated = 0;
  private readonly bounds: number[] = [];
  private readonly requested: number[] = [];
  private exceeded = 0;

  add(forecast: RuntimeForecast, job: ScoredRuntime): void {
    const { pointSeconds: point, quantileSeconds } = forecast;
    this.spreads.add({ point, percentiles: quantileSeconds }, job.seconds);
    if (Number.isFinite(point)) this.addError(point, job.seconds);
    const relativePoint = relativePointSeconds(forecast);
    if (Number.isFinite(relativePoint)) {
      this.accuraciesOfRelativePoints.push(relativeAccuracy(relativePoint, job.seconds));
    }
    if (job.requestedWalltimeSeconds !== null) {
      this.addBound(quantileSeconds[89] ?? Number.POSITIVE_INFINITY, job.seconds, job.requestedWalltimeSeconds);
    }
  }

  get spread(): SpreadScore {
    return this.spreads.score();
  }

  get medianAbsoluteErrorSeconds(): number | null {
    return this.errors.length === 0 ? null : median(this.errors);
  }

  /** Share of points that a job outran; a second, the unit of logs, does not count. */
  get underestimatedShare(): number | null {
    return this.errors.length === 0 ? null : this.underestimated / this.errors.length;
  }

  /** Mean of 1 - |actual - point| / the larger of the two: wyatt-prionn, section 3. */
  get relativeAccuracy(): number | null {
    return meanOf(this.accuracies);
  }

  /** The same of the point that is said to be least wrong relatively. */
  get relativeAccuracyOfRelativePoint(): number | null {
    return meanOf(this.accuraciesOfRelativePoints);
  }

  /** Mean absolute errors of the classes of actual runtimes; null of an empty one. */
  get classErrorsSeconds(): readonly (number | null)[] {
    return this.classes.map(meanOf);
  }

  /**
   * The 90 % bound as a walltime, over the jobs that request one: how many outran it, and its mean over the requested
   * one's. Where there is no bound the requested walltime stands in.
   */
  get bound90(): {
    readonly exceededShare: number;
    readonly meanShareOfRequested: number;
  } | null {
    const [bound, requested] = [meanOf(this.bounds), meanOf(this.requested)];
    if (bound === null || requested === null) return null;
    return { exceededShare: this.exceeded / this.bounds.length, meanShareOfRequested: bound / requested };
  }

  private addError(point: number, seconds: number): void {
    const error = Math.abs(point - seconds);
    this.errors.push(error);
    this.accuracies.push(relativeAccuracy(point, seconds));
    this.classes[RUNTIME_CLASS_ENDS_SECONDS.findIndex((end) => seconds < end)]?.push(error);
    if (point < seconds - 1) this.underestimated++;
  }

  private addBound(bound: number, seconds: number, requestedSeconds: number): void {
    const asked = Number.isFinite(bound) ? bound : requestedSeconds;
    this.bounds.push(asked);
    this.requested.push(requestedSeconds);
    if (seconds > asked) this.exceeded++;
  }
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean([...values]);
}
