import type { EpochSeconds } from '../../../domain/clock.ts';
import { QUANTILE_COUNT, type WaitForecast, type WaitQuery } from '../../../domain/forecast.ts';
import { type StartedRecord, waitSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { type RidgeModel, ridgeRegression } from '../../../stats/ridge-regression.ts';
import { weightedQuantiles } from '../../../stats/weighted-quantiles.ts';
import { knownUpTo } from '../../known-up-to.ts';
import type { WaitPredictor } from '../../predictor.ts';
import { ObservedSeries } from '../observed-series.ts';
import { APQ_STATISTICS, ApqHistory, type ApqStatistics, type ApqTarget } from './apq-history.ts';
import {
  type ApqModelParameters,
  areClustered,
  gaussianAverage,
  minimiseDeviation,
  type Neighbour,
} from './apq-models.ts';
import { type ApqState, apqFeatures, apqStateOf, FEATURE_COUNT, NO_STATE } from './apq-state.ts';

export interface ApqParameters extends ApqModelParameters {
  /** Size of the history set. */
  readonly capacity: number;
  readonly statistics: ApqStatistics;
}

export const APQ_DEFAULTS: ApqParameters = {
  capacity: 4000,
  statistics: 'summary',
  closestShare: 0.02,
  farDistance: 0.3,
  outlierShare: 0.5,
  radius: 0.1,
  minPoints: 4,
  windowWidth: 0.02,
  maxDistance: 0.3,
  neighbours: 10,
};

/** The values each parameter is tried with, one parameter after another (Table IV). */
const TRIED: { readonly [Name in keyof ApqParameters]?: readonly ApqParameters[Name][] } = {
  statistics: APQ_STATISTICS,
  closestShare: [0.01, 0.02, 0.05],
  outlierShare: [0.1, 0.3, 0.5, 0.7, 0.9],
  radius: [0.05, 0.1],
  minPoints: [2, 3, 5],
  windowWidth: [0.01, 0.02, 0.05, 0.1],
  maxDistance: [0.3, 0.45, 0.6],
  neighbours: [1, 5, 10, 20],
};

/**
 * Adaptive prediction of queue waits: the target's distance to past jobs, by sums or by distributions of the site's state at
 * submission, weighted by rank correlation with the wait; then, by the cluster structure of the closest ones, the window of least
 * deviation, or ridge regression, or, where that is negative, the weighted average. Statistics and parameters are tuned on the most
 * recent jobs, each forecast from older ones, after 2,000 and then every 8,000 jobs. The spread is that of the closest jobs' waits.
 *
 * Differences to the paper: the regression is over the whole history (a maximum distance of 1) and is renewed with the weights every
 * 500 jobs, so that `predict` stays O(n); histogram bins are logarithmic. States come by `observe`.
 * Source: hariharan-end-to-end-predictions, section II.
 */
export class Apq implements WaitPredictor {
  readonly name = 'wait/apq';
  readonly version: string;
  private parameters: ApqParameters;
  private readonly history: ApqHistory;
  private readonly states = new ObservedSeries<ApqState>({ leastApartSeconds: 240, mostKept: 4032 });
  private regression: RidgeModel | null = null;
  private recent: { target: ApqTarget; waitSeconds: number }[] = [];
  private learned = 0;
  private newestStartAt: EpochSeconds | null = null;
  private latest: { readonly snapshot: Snapshot; readonly state: ApqState } | null = null;

  constructor(parameters: Partial<ApqParameters> = {}) {
    this.parameters = { ...APQ_DEFAULTS, ...parameters };
    this.version = `1 n${this.parameters.capacity}`;
    this.history = new ApqHistory(this.parameters.capacity);
  }

  /** What tuning has made of the parameters by now. */
  get tuned(): ApqParameters {
    return this.parameters;
  }

  observe(state: Snapshot): void {
    this.states.add(apqStateOf(state));
  }

  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const target = targetOf(query, state === null ? NO_STATE : this.stateOf(state));
    const nearest = neighboursOf(this.history, target, this.parameters);
    const closest = nearest.slice(0, closestCount(this.history.size, this.parameters));
    const isKnown = closest.length > 0;
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      observedAt: knownUpTo(this.newestStartAt, state, now),
      sampleSize: this.history.size,
      pointSeconds: isKnown
        ? pointOf(target, nearest, this.history.size, this.regression, this.parameters)
        : Number.POSITIVE_INFINITY,
      quantileSeconds: isKnown ? spreadOf(closest) : NOTHING_KNOWN,
    };
  }

  learn(record: StartedRecord): void {
    this.newestStartAt = Math.max(this.newestStartAt ?? record.startAt, record.startAt);
    const job = { ...record, walltimeSeconds: record.requestedWalltimeSeconds ?? 0 };
    const one = {
      target: targetOf(job, this.states.newestUpTo(record.submitAt) ?? NO_STATE),
      waitSeconds: Math.max(0, waitSeconds(record)),
    };
    this.history.add(one.target, one.waitSeconds);
    this.recent.push(one);
    if (this.recent.length > 2 * TUNING_JOBS) this.recent = this.recent.slice(-TUNING_JOBS);
    this.learned++;
    if (this.learned === FIRST_REWEIGHED || this.learned % REWEIGH_EVERY === 0) this.regression = refresh(this.history);
    if (this.learned % TUNE_EVERY === TUNING_JOBS) this.tune();
  }

  private stateOf(snapshot: Snapshot): ApqState {
    if (this.latest?.snapshot !== snapshot) this.latest = { snapshot, state: apqStateOf(snapshot) };
    return this.latest.state;
  }

  /** Varies each parameter on its own, keeping what lowers the mean absolute error over the questions. */
  private tune(): void {
    const jobs = this.recent.slice(-TUNING_JOBS);
    const older = new ApqHistory(TUNING_JOBS);
    for (const { target, waitSeconds: wait } of jobs.slice(0, -TUNING_QUESTIONS)) older.add(target, wait);
    const regression = refresh(older);
    const questions = jobs.slice(-TUNING_QUESTIONS).filter((_, i) => i % TUNING_STRIDE === 0);
    const nearestBy = new Map(
      APQ_STATISTICS.map((statistics) => [
        statistics,
        questions.map(({ target }) => neighboursOf(older, target, { ...APQ_DEFAULTS, statistics })),
      ]),
    );
    const errorOf = (parameters: ApqParameters) =>
      questions.reduce((sum, { target, waitSeconds: actual }, i) => {
        const nearest = nearestBy.get(parameters.statistics)?.[i] ?? [];
        return sum + Math.abs(pointOf(target, nearest, older.size, regression, parameters) - actual);
      }, 0);
    let best = { parameters: this.parameters, error: errorOf(this.parameters) };
    for (const [name, values] of Object.entries(TRIED)) {
      for (const value of values) {
        const parameters = { ...best.parameters, [name]: value };
        const error = errorOf(parameters);
        if (error < best.error) best = { parameters, error };
      }
    }
    this.parameters = best.parameters;
  }
}

function targetOf(job: Parameters<typeof apqFeatures>[0], state: ApqState): ApqTarget {
  return { features: apqFeatures(job, state), histograms: state.histograms };
}

/** Past jobs within reach of any model, nearest first. */
function neighboursOf(history: ApqHistory, target: ApqTarget, { statistics }: ApqParameters): Neighbour[] {
  const distances = history.distancesTo(target, statistics);
  const limit = Float64Array.from(distances).sort()[Math.min(distances.length, MOST_NEIGHBOURS) - 1] ?? 0;
  const found: Neighbour[] = [];
  distances.forEach((distance, row) => {
    if (distance <= limit) found.push({ distance, waitSeconds: history.waits[row] as number });
  });
  return found.sort((a, b) => a.distance - b.distance);
}

function closestCount(historySize: number, { closestShare }: ApqParameters): number {
  return Math.max(FEWEST_CLOSEST, Math.ceil(historySize * closestShare));
}

function pointOf(
  target: ApqTarget,
  nearest: readonly Neighbour[],
  historySize: number,
  regression: RidgeModel | null,
  parameters: ApqParameters,
): number {
  if (areClustered(nearest.slice(0, closestCount(historySize, parameters)), parameters)) {
    const point = minimiseDeviation(nearest, parameters);
    if (point !== null) return point;
  }
  const point = regression?.predict(target.features) ?? -1;
  return point >= 0 ? point : gaussianAverage(nearest.slice(0, parameters.neighbours));
}

function refresh(history: ApqHistory): RidgeModel {
  history.reweigh();
  const rows = history.features.subarray(0, history.size * FEATURE_COUNT);
  return ridgeRegression(rows, history.waits.subarray(0, history.size), RIDGE_PENALTY);
}

function spreadOf(closest: readonly Neighbour[]): number[] {
  const waits = closest.map(({ waitSeconds: wait }) => wait);
  return weightedQuantiles(
    waits,
    closest.map(({ distance }) => Math.exp(-distance * distance)),
    LEVELS,
  );
}

const NOTHING_KNOWN: readonly number[] = new Array<number>(QUANTILE_COUNT).fill(Number.POSITIVE_INFINITY);
const LEVELS = Array.from({ length: QUANTILE_COUNT }, (_, i) => (i + 1) / 100);
const FEWEST_CLOSEST = 20;
const MOST_NEIGHBOURS = 1000;
const RIDGE_PENALTY = 1e-3;
const FIRST_REWEIGHED = 100;
const REWEIGH_EVERY = 500;
const TUNE_EVERY = 8000;
const TUNING_JOBS = 2000;
const TUNING_QUESTIONS = 400;
const TUNING_STRIDE = 4;
