import type { EpochSeconds } from '../../../domain/clock.ts';
import {
  NOTHING_KNOWN,
  QUANTILE_COUNT,
  type WaitForecast,
  type WaitQuery,
  withinPercentiles,
} from '../../../domain/forecast.ts';
import { type EndedRecord, type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { weightedQuantiles } from '../../../stats/weighted-quantiles.ts';
import { knownUpTo } from '../../known-up-to.ts';
import type { WaitPredictor } from '../../predictor.ts';
import { WatchedSubmissions } from '../watched-submissions.ts';
import { ApqHistory, type ApqStatistics } from './apq-history.ts';
import { type ApqNeighbour, areClustered, gaussianAverage, minimiseDeviation } from './apq-models.ts';
import { APQ_DEFAULTS, type ApqParameters } from './apq-parameters.ts';
import { type ApqTarget, apqTargetOf } from './apq-state.ts';

/**
 * Adaptive prediction of queue waits: the target's distance to past jobs, by sums or by distributions of the site's
 * state at submission, weighted by rank correlation with the wait; then, by the cluster structure of the closest ones,
 * the window of least deviation, or ridge regression over the jobs near enough, or, where that is negative or too few
 * are near, the weighted average. The spread is that of the closest jobs' waits.
 *
 * States come by `observed`. `predict` is O(n log n) in the size of the history. Source:
 * hariharan-end-to-end-predictions, section II. Weights are recomputed every `reweighEvery` waits instead of at each;
 * bins are logarithmic.
 */
export class Apq implements WaitPredictor {
  readonly name = 'wait/apq';
  readonly version: string;
  private readonly parameters: ApqParameters;
  private readonly history: ApqHistory;
  private readonly submissions: WatchedSubmissions<ApqTarget>;
  private learned = 0;
  private newestStartAt: EpochSeconds | null = null;

  constructor(parameters: Partial<ApqParameters> = {}) {
    this.parameters = { ...APQ_DEFAULTS, ...parameters };
    this.version = `4 ${Object.values(this.parameters).join(' ')}`;
    this.history = new ApqHistory(this.parameters.capacity, this.bins);
    this.submissions = new WatchedSubmissions({
      noteOf: (job, state) => apqTargetOf(job, state, this.bins),
      learned: (record, target) => this.learnTarget(target, Math.max(0, waitSeconds(record))),
    });
  }

  observed(state: Snapshot): void {
    this.submissions.observe(state);
  }

  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const { statistics, maxDistance, windowWidth } = this.parameters;
    const target = apqTargetOf(query, state, this.bins);
    const nearest = this.nearestTo(target, statistics, maxDistance + windowWidth);
    const closest = nearest.slice(0, this.closestCount);
    const isKnown = closest.length > 0;
    const point = isKnown ? this.pointOf(target, nearest, closest) : Number.POSITIVE_INFINITY;
    const quantileSeconds = isKnown ? spreadOf(closest) : NOTHING_KNOWN;
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      observedAt: knownUpTo(this.newestStartAt, state, now),
      sampleSize: this.history.size,
      pointSeconds: withinPercentiles(point, quantileSeconds),
      quantileSeconds,
    };
  }

  started(record: StartedRecord): void {
    this.newestStartAt = Math.max(this.newestStartAt ?? record.startAt, record.startAt);
    this.submissions.learn(record);
  }

  ended(record: EndedRecord): void {
    this.submissions.learnEnd(record);
  }

  private get bins(): number {
    return this.parameters.statistics === 'distribution' ? this.parameters.bins : 0;
  }

  private get closestCount(): number {
    return Math.max(FEWEST_CLOSEST, Math.ceil(this.history.size * this.parameters.closestShare));
  }

  private learnTarget(target: ApqTarget, wait: number): void {
    this.history.add(target, wait);
    this.learned++;
    if (this.learned === FIRST_REWEIGHED || this.learned % this.parameters.reweighEvery === 0) this.history.reweigh();
  }

  private nearestTo(target: ApqTarget, statistics: ApqStatistics, reach: number): ApqNeighbour[] {
    const distances = this.history.distancesTo(target, statistics);
    return this.history.nearest(distances, reach, this.closestCount, MOST_NEIGHBOURS);
  }

  private pointOf(target: ApqTarget, nearest: readonly ApqNeighbour[], closest: readonly ApqNeighbour[]): number {
    if (areClustered(closest, this.parameters)) {
      const point = minimiseDeviation(nearest, this.parameters);
      if (point !== null) return point;
    }
    const { regressionDistance, neighbours } = this.parameters;
    const near = this.nearestTo(target, 'summary', regressionDistance);
    const within = near.filter(({ distance }) => distance <= regressionDistance);
    if (within.length >= FEWEST_REGRESSED) {
      const point = this.history.regressionOver(within, RIDGE_PENALTY).predict(target.features);
      if (point >= 0) return point;
    }
    return gaussianAverage(near.slice(0, neighbours));
  }
}

function spreadOf(closest: readonly ApqNeighbour[]): number[] {
  const waits = closest.map(({ waitSeconds: wait }) => wait);
  return weightedQuantiles(
    waits,
    closest.map(({ distance }) => Math.exp(-distance * distance)),
    LEVELS,
  );
}

const LEVELS = Array.from({ length: QUANTILE_COUNT }, (_, i) => (i + 1) / 100);
const FEWEST_CLOSEST = 20;
const MOST_NEIGHBOURS = 1000;
/** The regression has sixteen slopes. */
const FEWEST_REGRESSED = 40;
const RIDGE_PENALTY = 1e-3;
const FIRST_REWEIGHED = 50;
