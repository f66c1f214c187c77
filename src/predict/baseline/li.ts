import type { EpochSeconds } from '../../domain/clock.ts';
import { NOTHING_KNOWN, QUANTILE_COUNT, type RuntimeForecast, withinPercentiles } from '../../domain/forecast.ts';
import { type EndedRecord, hasRun, type JobRequest, ranSeconds, requestOf } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import { weightedQuantiles } from '../../stats/weighted-quantiles.ts';
import type { RuntimePredictor } from '../predictor.ts';
import { CaseBase, WEIGHT_COUNT } from '../wait/case-base.ts';
import { numericFeatures, UNKNOWN_STATE } from '../wait/submission-features.ts';

/**
 * Instance-based learning of runtimes: the kernel-weighted average over the most similar jobs, by a weighted distance
 * over user, queue, size and requested walltime; their spread is the forecast's. The paper adds the site's state and
 * searches the weights by a genetic algorithm; here they are fixed. `predict` is O(cases), `ended` O(1). Source: Li,
 * Groep and Wolters, Efficient response time predictions by exploiting application and resource state similarities,
 * GRID 2005.
 */
export class LiNeighbours implements RuntimePredictor {
  readonly name = 'baseline/li';
  readonly version = '1';
  private readonly cases = new CaseBase(CASES_KEPT);

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const neighbours = this.cases.nearest(job, numericFeatures(job, UNKNOWN_STATE), WEIGHTS, NEIGHBOURS);
    const runtimes = neighbours.map(({ index }) => this.cases.secondsOf(index));
    const kernel = neighbours.map(({ distance }) => Math.exp(-((distance / KERNEL_WIDTH) ** 2)) + LEAST_WEIGHT);
    const quantileSeconds = runtimes.length === 0 ? NOTHING_KNOWN : weightedQuantiles(runtimes, kernel, LEVELS);
    const total = kernel.reduce((sum, weight) => sum + weight, 0);
    const weighted = runtimes.reduce((sum, seconds, i) => sum + seconds * (kernel[i] as number), 0);
    const point = runtimes.length === 0 ? Number.POSITIVE_INFINITY : weighted / total;
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize: runtimes.length,
      pointSeconds: withinPercentiles(point, quantileSeconds),
      quantileSeconds,
    };
  }

  ended(record: EndedRecord): void {
    if (!hasRun(record)) return;
    const features = numericFeatures(record, UNKNOWN_STATE);
    this.cases.add({ job: requestOf(record), features, seconds: ranSeconds(record) });
  }
}

const CASES_KEPT = 4000;
const NEIGHBOURS = 25;
const KERNEL_WIDTH = 0.05;
/** So that the nearest count, however far they are. */
const LEAST_WEIGHT = 1e-9;
/** Of user, queue, size and requested walltime; the site's state is not looked at. */
const WEIGHTS = Float64Array.from({ length: WEIGHT_COUNT }, (_, i) => [1, 0.5, 1, 1][i] ?? 0);
const LEVELS = Array.from({ length: QUANTILE_COUNT }, (_, i) => (i + 1) / 100);
