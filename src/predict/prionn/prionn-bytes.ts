import type { EpochSeconds } from '../../domain/clock.ts';
import type { BytesForecast } from '../../domain/forecast.ts';
import type { JobRequest } from '../../domain/job.ts';
import type { IoBytes } from '../../domain/job-use.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { BytesPredictor } from '../predictor.ts';
import { Prionn } from './prionn.ts';
import { PRIONN_VERSION, type PrionnParameters } from './prionn-parameters.ts';
import type { Trainer } from './training.ts';

/** Bytes that jobs read, or write, by their text. */
export class PrionnBytes extends Prionn implements BytesPredictor {
  readonly name = 'io/prionn';
  readonly version = PRIONN_VERSION;
  private readonly head: number;

  /** @param which of the two is predicted */
  constructor(which: IoBytes, parameters: PrionnParameters, trainer: Trainer) {
    super(parameters, trainer);
    this.head = which === 'readBytes' ? 1 : 2;
  }

  predict(job: JobRequest, _state: Snapshot | null, now: EpochSeconds): BytesForecast {
    const { point, percentiles, sampleSize } = this.spreadOf(job, this.head);
    const made = { predictor: this.name, version: this.version, madeAt: now };
    return { ...made, sampleSize, pointBytes: point, quantileBytes: percentiles };
  }
}

keepClass(PrionnBytes, Prionn.keeping);
