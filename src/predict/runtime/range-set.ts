import type { EpochSeconds } from '../../domain/clock.ts';
import {
  NOTHING_KNOWN,
  QUANTILE_COUNT,
  type RuntimeForecast,
  type RuntimeRange,
  withinPercentiles,
} from '../../domain/forecast.ts';
import { type EndedRecord, hasRun, type JobRequest, ranSeconds, type StartedRecord } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { RuntimePredictor } from '../predictor.ts';
import { type Cell, denseRanges, mostProbable, pooled, quantilesOf, shortened } from './range-set/density.ts';
import { KindsOfJobs } from './range-set/kinds-of-jobs.ts';
import type { KnownRuntimes } from './range-set/known-runtimes.ts';
import { MachineLoad } from './range-set/machine-load.ts';
import { printedRanges } from './range-set/printed-ranges.ts';
import { pointOf, probableRanges } from './range-set/probable-ranges.ts';
import { densityAround } from './range-set/spans.ts';
import { type WeightedRuntime, weightedRuntimes } from './range-set/weighted-runtimes.ts';

/** How ranges are made of the known runtimes: as tuned here, or as the paper prints it. */
export const RECIPES = ['dense', 'printed'] as const;

export interface RangeSetParameters {
  readonly recipe: (typeof RECIPES)[number];
  /**
   * What probability a range must have to stay, as a share of the one it would have if runtimes were even over the
   * range of the job's like: the larger, the shorter the ranges are together.
   */
  readonly density: number;
}

export const RANGE_SET_DEFAULTS: RangeSetParameters = { recipe: 'dense', density: 0.72 };

/**
 * A few ranges of runtimes with their probabilities, from those of jobs that are like the one asked about. Every job
 * that ran teaches it, whatever its outcome. `predict` is O(r log r) for the few hundred runtimes it looks at, `ended`
 * O(1) amortised. Source: hariharan-end-to-end-predictions, section III; what is ours is told in
 * docs/decisions/069-ranges-where-runtimes-are-dense.md.
 */
export class RangeSet implements RuntimePredictor {
  readonly name = 'runtime/range-set';
  readonly version: string;
  private readonly kinds: KindsOfJobs;
  private readonly load = new MachineLoad();

  constructor(private readonly parameters: RangeSetParameters = RANGE_SET_DEFAULTS) {
    this.kinds = new KindsOfJobs(parameters.recipe === 'printed');
    this.version = `1 ${parameters.recipe} ${parameters.density}`;
  }

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const weighted = weightedRuntimes(this.kinds.poolsOf(job), job.requestedWalltimeSeconds);
    const cells = withinWalltime(job, densityAround(weighted));
    const ranges = this.rangesOf(job, weighted, cells, now);
    const quantileSeconds = cells.length === 0 ? NOTHING_KNOWN : quantilesOf(cells, LEVELS);
    const point = ranges.length === 0 ? Number.POSITIVE_INFINITY : pointOf(ranges);
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: new Set(weighted.map(({ runtime }) => runtime.number)).size,
      pointSeconds: withinPercentiles(point, quantileSeconds),
      quantileSeconds,
      ranges,
    };
  }

  /**
   * Ranges of what is known here and of other runtimes that somebody holds for like the job's. Where no runtime is
   * denser than all would be, were they even over the range of its like, the densest range is shortened to a part of
   * that. Empty where nothing is known.
   * @param others their weights together are 1
   */
  rangesBeside(job: JobRequest, others: readonly WeightedRuntime[]): RuntimeRange[] {
    const own = weightedRuntimes(this.kinds.poolsOf(job), job.requestedWalltimeSeconds);
    const [ours, theirs] = [densityAround(own), densityAround(others)];
    const like = this.kinds.likeOf(job);
    const length = lengthOf(like, [...own, ...others]);
    const everywhere = 1 / Math.max(1, like?.mostSeconds ?? length);
    const both = ours.length > 0 && theirs.length > 0 ? pooled(ours, theirs, everywhere) : [...ours, ...theirs];
    const cells = withinWalltime(job, both);
    if (cells.length === 0) return [];
    const [densest, least] = [densestOf(cells), this.parameters.density / length];
    const ranges = denseRanges(cells, Math.min(densest, least));
    return mostProbable(densest < least ? shortened(ranges.slice(0, 1), SHORT_SHARE * length) : ranges);
  }

  observed(state: Snapshot): void {
    this.load.sized(state.processors);
  }

  started(record: StartedRecord): void {
    this.load.started(record);
  }

  ended(record: EndedRecord): void {
    const load = this.load.ended(record) ?? this.load.expected(record.endAt);
    if (hasRun(record)) this.kinds.learn(record, ranSeconds(record), load);
  }

  private rangesOf(
    job: JobRequest,
    weighted: readonly WeightedRuntime[],
    cells: readonly Cell[],
    now: EpochSeconds,
  ): RuntimeRange[] {
    if (cells.length === 0) return [];
    const like = this.kinds.likeOf(job);
    if (this.parameters.recipe === 'printed') {
      const runtimes = like?.relevant ?? [];
      const spans = printedRanges(runtimes, this.kinds.loadFunctions, this.load.expected(now));
      return probableRanges(spans, like?.newest ?? []);
    }
    const least = Math.min(densestOf(cells), this.parameters.density / lengthOf(like, weighted));
    return probableRanges(denseRanges(cells, least), like?.newest ?? []);
  }
}

/** Few of the runtimes that a job's may be like lie beyond its walltime. */
function withinWalltime({ requestedWalltimeSeconds }: JobRequest, cells: readonly Cell[]): Cell[] {
  const longest = BEYOND_REQUEST * (requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY);
  return cells.map((cell) =>
    cell.fromSeconds > longest ? { ...cell, perSecond: cell.perSecond * BEYOND_REQUEST_WEIGHT } : cell,
  );
}

function densestOf(cells: readonly Cell[]): number {
  return cells.reduce((most, { perSecond }) => Math.max(most, perSecond), 0);
}

/** How far apart the runtimes of the job's like are; those of all that were looked at where its like is not known. */
function lengthOf(like: KnownRuntimes | undefined, weighted: readonly WeightedRuntime[]): number {
  const known = like ? like.mostSeconds - like.leastSeconds : 0;
  if (known > 0) return known;
  const seconds = weighted.map(({ runtime }) => runtime.seconds);
  return Math.max(1, Math.max(...seconds) - Math.min(...seconds));
}

/** A site that ends jobs at their walltime seldom lets them run longer than this many times of it. */
const BEYOND_REQUEST = 1.05;
const BEYOND_REQUEST_WEIGHT = 0.05;
/** Of the range of the job's like. */
const SHORT_SHARE = 0.2;
const LEVELS = Array.from({ length: QUANTILE_COUNT }, (_, i) => (i + 1) / 100);
