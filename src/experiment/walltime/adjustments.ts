import { secondsAtProbability } from '../../domain/forecast.ts';
import type { JobRequest } from '../../domain/job.ts';
import type { RuntimePredictor } from '../../predict/predictor.ts';
import { RUNTIME } from '../../predict/quantities.ts';
import { createPredictor } from '../../predict/registry.ts';
import { AdjustedWalltime } from '../../predict/runtime/adjusted-walltime.ts';
import type { RuntimeEstimates } from '../../sim/estimates.ts';
import { settingsFor } from '../told-settings.ts';

/** A runtime predictor of which one figure stands in for the requested walltime. */
export interface Adjuster {
  readonly predictor: RuntimePredictor;
  /** What stands in; null where the request stays, for want of history. */
  seconds(job: JobRequest, now: number): number | null;
}

/**
 * A new adjuster by its name: `PREDICTOR:PERCENTILE`, or `PREDICTOR` for its point. The percentile of
 * `runtime/adjusted-walltime` is its scheme's; its threshold holds.
 * @param settings of predictors, as experiments are told them; see `settingsFor`
 * @throws RangeError for a predictor that there is none of, or a percentile or setting that cannot be
 */
export function createAdjuster(name: string, settings: string): Adjuster {
  const [predictorName = '', percentile] = name.split(':');
  const scheme = percentile !== undefined && predictorName === SCHEME ? { percentile: percentileOf(name) } : {};
  const predictor = createPredictor(RUNTIME, predictorName, { ...settingsFor(predictorName, settings), ...scheme });
  if (predictor instanceof AdjustedWalltime) {
    return { predictor, seconds: (job, now) => predictor.adjustedSeconds(job, now) };
  }
  const probability = percentile === undefined ? null : percentileOf(name) / 100;
  return {
    predictor,
    seconds(job, now) {
      const forecast = predictor.predict(job, null, now);
      const seconds = probability === null ? forecast.pointSeconds : secondsAtProbability(forecast, probability);
      return forecast.sampleSize > 0 && Number.isFinite(seconds) ? seconds : null;
    },
  };
}

/** The estimates of an adjuster as a scheduler asks for them; none is more than what is requested. */
export function estimatesOf({ predictor, seconds }: Adjuster, scope: RuntimeEstimates['scope']): RuntimeEstimates {
  return {
    scope,
    seconds(job) {
      const estimate = seconds(job, job.submitAt);
      predictor.submitted?.(job);
      return estimate ?? job.requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY;
    },
    started(record) {
      predictor.started?.(record);
    },
    ended(record) {
      predictor.ended?.(record);
    },
  };
}

const SCHEME = 'runtime/adjusted-walltime';

function percentileOf(name: string): number {
  const percentile = Number(name.split(':')[1]);
  if (Number.isInteger(percentile) && percentile >= 1 && percentile <= 100) return percentile;
  throw new RangeError(`adjustment ${name} must end in a whole percentile from 1 to 100, as in ${SCHEME}:85`);
}
