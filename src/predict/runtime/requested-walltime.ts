import type { EpochSeconds } from '../../domain/clock.ts';
import { QUANTILE_COUNT, type RuntimeForecast } from '../../domain/forecast.ts';
import type { JobRequest } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { RuntimePredictor } from '../predictor.ts';

/** A job runs as long as it requests, as schedulers suppose; without a request nothing is known. */
export class RequestedWalltime implements RuntimePredictor {
  readonly name = 'runtime/requested';
  readonly version = '1';

  predict({ requestedWalltimeSeconds }: JobRequest, _state: Snapshot | null, now: EpochSeconds): RuntimeForecast {
    const pointSeconds = requestedWalltimeSeconds ?? Number.POSITIVE_INFINITY;
    const quantileSeconds = new Array<number>(QUANTILE_COUNT).fill(pointSeconds);
    const made = { predictor: this.name, version: this.version, madeAt: now, sampleSize: 0 };
    return { ...made, pointSeconds, quantileSeconds };
  }
}
