import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitForecast, WaitQuery } from '../../domain/forecast.ts';
import { type StartedRecord, waitSeconds } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { knownUpTo } from '../known-up-to.ts';
import type { WaitPredictor } from '../predictor.ts';
import { ChangePointHistory } from './change-point-history.ts';
import { type ClassedWait, findJobClasses, type JobClasses, ONE_CLASS } from './job-classes.ts';

export interface QbetsParameters {
  /** Quantile whose bound is watched for change points. */
  readonly quantile: number;
  /**
   * Confidence of every bound, those of the quantile table included: each tabulated percentile is an upper bound of the
   * true one with this confidence, so a probability read from the table errs on the side of promising too little.
   */
  readonly confidence: number;
  /** How many waits are kept for the site, and for each class of jobs. */
  readonly capacity: number;
  /** Least number of waits in a class of jobs. */
  readonly smallestClass: number;
  /** Classes are found anew after so many waits. */
  readonly regroupEvery: number;
}

export const QBETS_DEFAULTS: QbetsParameters = {
  quantile: 0.95,
  confidence: 0.95,
  capacity: 6000,
  smallestClass: 1200,
  regroupEvery: 1000,
};

/**
 * Queue bounds estimation from time series: upper bounds of wait percentiles by the binomial distribution, from the
 * history since the last change point, for each class of jobs of like processors and walltime. A class that is short of
 * history answers with the whole site's. The bound at quantile q is `quantileSeconds[100 q - 1]`; the inverse, the
 * probability to start within a time, is `probabilityToStartWithin` of the same forecast, so both agree. The point is
 * the median of the class.
 *
 * `predict` is O(1) once the class's table has been made after a `started`; `started` is O(log n), and O(n) every
 * `regroupEvery` times. Source: nurmi-varq, section 2.3.
 */
export class Qbets implements WaitPredictor {
  readonly name = 'wait/qbets';
  readonly version: string;
  private readonly parameters: QbetsParameters;
  private readonly site: ChangePointHistory;
  private classes: JobClasses = ONE_CLASS;
  private histories: ChangePointHistory[] = [];
  private recent: ClassedWait[] = [];
  private learned = 0;
  private newestStartAt: EpochSeconds | null = null;

  constructor(parameters: Partial<QbetsParameters> = {}) {
    this.parameters = { ...QBETS_DEFAULTS, ...parameters };
    const { quantile, confidence, capacity, smallestClass, regroupEvery } = this.parameters;
    this.version = `2 q${quantile} c${confidence} n${capacity} k${smallestClass} g${regroupEvery}`;
    this.site = new ChangePointHistory(this.parameters);
  }

  /** How many classes of jobs are told apart at present. */
  get classCount(): number {
    return this.classes.count;
  }

  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const history = this.historyFor(query);
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      observedAt: knownUpTo(this.newestStartAt, state, now),
      sampleSize: history.size,
      pointSeconds: history.medianSeconds(),
      quantileSeconds: history.percentileBounds(),
    };
  }

  started(record: StartedRecord): void {
    const wait = {
      processors: record.processors,
      walltimeSeconds: record.requestedWalltimeSeconds,
      waitSeconds: Math.max(0, waitSeconds(record)),
    };
    this.newestStartAt = Math.max(this.newestStartAt ?? record.startAt, record.startAt);
    this.site.learn(wait.waitSeconds);
    this.histories[this.classes.classOf(wait.processors, wait.walltimeSeconds)]?.learn(wait.waitSeconds);
    this.recent.push(wait);
    if (++this.learned % this.parameters.regroupEvery === 0) this.regroup();
  }

  private historyFor({ processors, requestedWalltimeSeconds }: WaitQuery): ChangePointHistory {
    const history = this.histories[this.classes.classOf(processors, requestedWalltimeSeconds)];
    return history?.isLongEnough ? history : this.site;
  }

  /**
   * Finds the classes in the recent waits and replays these into the new histories, so that change points are found
   * again.
   */
  private regroup(): void {
    this.recent = this.recent.slice(-this.parameters.capacity);
    this.classes = findJobClasses(this.recent, this.parameters.smallestClass);
    this.histories = Array.from({ length: this.classes.count }, () => new ChangePointHistory(this.parameters));
    for (const wait of this.recent) {
      this.histories[this.classes.classOf(wait.processors, wait.walltimeSeconds)]?.learn(wait.waitSeconds);
    }
  }
}
