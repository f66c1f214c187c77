import type { EpochSeconds } from '../../domain/clock.ts';
import type { RuntimeForecast } from '../../domain/forecast.ts';
import type { JobRequest } from '../../domain/job.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { RuntimePredictor } from '../predictor.ts';
import { Prionn } from './prionn.ts';
import { PRIONN_VERSION } from './prionn-parameters.ts';

/** Runtimes by the text of jobs; none above the walltime, at which the site ends the job. */
export class PrionnRuntime extends Prionn implements RuntimePredictor {
  readonly name = 'runtime/prionn';
  readonly version = PRIONN_VERSION;

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const { point, percentiles, sampleSize } = this.spreadOf(job, 0);
    const most = sampleSize > 0 ? (job.requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
    return {
      predictor: this.name,
      version: this.version,
      madeAt: now,
      sampleSize,
      pointSeconds: Math.min(most, point),
      quantileSeconds: percentiles.map((seconds) => Math.min(most, seconds)),
    };
  }
}

keepClass(PrionnRuntime, Prionn.keeping);
