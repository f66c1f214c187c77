import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { EpochSeconds } from '../../domain/clock.ts';
import {
  NOTHING_KNOWN,
  QUANTILE_COUNT,
  type WaitForecast,
  type WaitQuery,
  withinPercentiles,
} from '../../domain/forecast.ts';
import { type EndedRecord, requestOf, type StartedRecord, waitSeconds } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { geneticSearch } from '../../stats/genetic-search.ts';
import { locallyWeightedRegression } from '../../stats/locally-weighted-regression.ts';
import { weightedQuantiles } from '../../stats/weighted-quantiles.ts';
import { knownUpTo } from '../known-up-to.ts';
import type { WaitPredictor } from '../predictor.ts';
import { CaseBase, type KnownCase, type Neighbour, WEIGHT_COUNT } from './case-base.ts';
import { numericFeatures, type StateSummary, summariseState, UNKNOWN_STATE } from './submission-features.ts';
import { WatchedSubmissions } from './watched-submissions.ts';

export interface IblParameters {
  /** How many cases are kept. */
  readonly capacity: number;
  /** How many of the nearest make the average and the spread. */
  readonly neighbours: number;
  /** Weights and method are chosen after the first 2,000 cases, and anew after each so many more. */
  readonly tuneEvery: number;
  readonly seed: number;
}

export const IBL_DEFAULTS: IblParameters = { capacity: 4000, neighbours: 25, tuneEvery: 8000, seed: 1 };

const METHODS = ['nearest', 'average', 'regression'] as const;
type Method = (typeof METHODS)[number];

/**
 * Instance-based learning: a job waits as the most similar jobs in similar states did. Similarity is a weighted
 * distance over user, queue, size, walltime and the site's state; the wait is that of the nearest case, the
 * kernel-weighted average of the nearest, or a locally weighted regression over them. The weights of the features, the
 * kernel's width and the method are chosen by a genetic search on the most recent cases, each forecast from older ones.
 * The spread is that of the nearest cases' waits.
 *
 * States come by `observed`; a job is learned with the one it found at its submission, or as in an empty site when
 * nobody watched. Source: Li, Chen, Tao, Groep and Wolters, Improving a local learning technique for queue wait time
 * predictions, CCGrid 2006.
 */
export class Ibl implements WaitPredictor {
  readonly name = 'wait/ibl';
  readonly version: string;
  private readonly parameters: IblParameters;
  private readonly cases: CaseBase;
  private readonly submissions = new WatchedSubmissions<Float64Array>({
    noteOf: (job, state) => numericFeatures(job, state === null ? UNKNOWN_STATE : summariseState(state)),
    learned: (record, features) => this.learnCase(record, features),
  });
  private readonly random;
  private recent: KnownCase[] = [];
  private weights = new Float64Array(WEIGHT_COUNT).fill(1);
  private kernelWidth = 0.1;
  private method: Method = 'average';
  private learned = 0;
  private newestStartAt: EpochSeconds | null = null;
  private latest: { readonly state: Snapshot; readonly summary: StateSummary } | null = null;

  constructor(parameters: Partial<IblParameters> = {}) {
    this.parameters = { ...IBL_DEFAULTS, ...parameters };
    const { capacity, neighbours, tuneEvery, seed } = this.parameters;
    this.version = `4 n${capacity} k${neighbours} t${tuneEvery} s${seed}`;
    this.cases = new CaseBase(capacity);
    this.random = xoroshiro128plus(seed);
  }

  observed(state: Snapshot): void {
    this.submissions.observe(state);
  }

  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const features = numericFeatures(query, state === null ? UNKNOWN_STATE : this.summaryOf(state));
    const neighbours = this.cases.nearest(query, features, this.weights, this.parameters.neighbours);
    const waits = neighbours.map(({ index }) => this.cases.secondsOf(index));
    const kernel = kernelOf(neighbours, this.kernelWidth);
    const isKnown = waits.length > 0;
    const point = isKnown ? this.pointOf(this.method, features, neighbours, kernel) : Number.POSITIVE_INFINITY;
    const quantileSeconds = isKnown ? weightedQuantiles(waits, kernel, LEVELS) : NOTHING_KNOWN;
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      observedAt: knownUpTo(this.newestStartAt, state, now),
      sampleSize: waits.length,
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

  private learnCase(record: StartedRecord, features: Float64Array): void {
    const one = { job: requestOf(record), features, seconds: Math.max(0, waitSeconds(record)) };
    this.cases.add(one);
    this.recent.push(one);
    if (this.recent.length > 2 * TUNING_CASES) this.recent = this.recent.slice(-TUNING_CASES);
    if ((++this.learned - TUNING_CASES) % this.parameters.tuneEvery === 0) this.tune();
  }

  private summaryOf(state: Snapshot): StateSummary {
    if (this.latest?.state !== state) this.latest = { state, summary: summariseState(state) };
    return this.latest.summary;
  }

  private pointOf(
    method: Method,
    features: Float64Array,
    neighbours: readonly Neighbour[],
    kernel: readonly number[],
    cases: CaseBase = this.cases,
  ): number {
    const waits = neighbours.map(({ index }) => cases.secondsOf(index));
    if (method === 'nearest') return waits[0] as number;
    if (method === 'regression') {
      const points = neighbours.map(({ index }) => cases.scaledAt(index));
      const value = locallyWeightedRegression(points, waits, kernel, cases.scaled(features), 0.05);
      return Math.min(Math.max(...waits), Math.max(Math.min(...waits), value));
    }
    const total = kernel.reduce((sum, weight) => sum + weight, 0);
    return waits.reduce((sum, wait, i) => sum + wait * (kernel[i] as number), 0) / total;
  }

  /** Genes: the weights, the kernel's width, the method. */
  private tune(): void {
    const recent = this.recent.slice(-TUNING_CASES);
    const older = new CaseBase(TUNING_CASES);
    for (const one of recent.slice(0, -TUNING_QUESTIONS)) older.add(one);
    const questions = recent.slice(-TUNING_QUESTIONS).filter((_, i) => i % TUNING_STRIDE === 0);
    const cost = (genes: Float64Array) => {
      const { weights, kernelWidth, method } = decode(genes);
      return questions.reduce((sum, { job, features, seconds: actual }) => {
        const neighbours = older.nearest(job, features, weights, this.parameters.neighbours);
        const point = this.pointOf(method, features, neighbours, kernelOf(neighbours, kernelWidth), older);
        return sum + Math.abs(point - actual);
      }, 0);
    };
    const genes = WEIGHT_COUNT + 2;
    const best = decode(geneticSearch(cost, { genes, populationSize: 16, generations: 6, random: this.random }));
    this.weights = best.weights;
    this.kernelWidth = best.kernelWidth;
    this.method = best.method;
  }
}

function decode(genes: Float64Array): { weights: Float64Array<ArrayBuffer>; kernelWidth: number; method: Method } {
  return {
    weights: Float64Array.from(genes.subarray(0, WEIGHT_COUNT), (gene) => gene * gene),
    kernelWidth: 0.01 + 0.5 * (genes[WEIGHT_COUNT] as number),
    method: METHODS[
      Math.min(METHODS.length - 1, Math.floor((genes[WEIGHT_COUNT + 1] as number) * METHODS.length))
    ] as Method,
  };
}

/** Gaussian weights of the distances, beyond the nearest one's so that they do not vanish. */
function kernelOf(neighbours: readonly Neighbour[], width: number): number[] {
  const nearest = neighbours[0]?.distance ?? 0;
  return neighbours.map(({ distance }) => Math.exp(-(((distance - nearest) / width) ** 2)) + 1e-9);
}

const LEVELS = Array.from({ length: QUANTILE_COUNT }, (_, i) => (i + 1) / 100);
/** Cases a tuning looks at, of which the last ones, one in a few, are the questions. */
const TUNING_CASES = 2000;
const TUNING_QUESTIONS = 500;
const TUNING_STRIDE = 4;
