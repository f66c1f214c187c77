import type {
  BytesForecast,
  LiveBytesForecast,
  LiveRuntimeForecast,
  QuantityForecast,
  RuntimeForecast,
  WaitForecast,
  WaitQuery,
} from '../domain/forecast.ts';
import { hasRun, type JobRequest, ranSeconds, requestOf, waitSeconds, wasTakenDown } from '../domain/job.ts';
import type { IoBytes } from '../domain/job-use.ts';
import { knownBytes } from './io/known-bytes.ts';
import { READ_PREDICTORS, WRITTEN_PREDICTORS } from './io-registry.ts';
import type { Quantity, Spread } from './quantity.ts';
import { WAIT_PREDICTORS } from './registry.ts';
import { RUNTIME_PREDICTORS } from './runtime-registry.ts';

/** Seconds from the submission of a job to its start. */
export const WAIT: Quantity<WaitQuery, WaitForecast> = {
  name: 'wait',
  predictors: WAIT_PREDICTORS,
  queryOf: (job) => job,
  spreadOf: spreadOfSeconds,
  actualOf(event) {
    if (event.kind !== 'start') return null;
    const { nativeId, submitAt } = event.record;
    return { nativeId, submitAt, value: waitSeconds(event.record) };
  },
};

/** Seconds from the start of a job to its end, however it ended, but for those that the site took down. */
export const RUNTIME: Quantity<JobRequest, RuntimeForecast> = {
  name: 'runtime',
  predictors: RUNTIME_PREDICTORS,
  queryOf: requestOf,
  spreadOf: spreadOfSeconds,
  actualOf(event) {
    if (event.kind !== 'end' || !hasRun(event.record) || wasTakenDown(event.record)) return null;
    const { nativeId, submitAt } = event.record;
    return { nativeId, submitAt, value: ranSeconds(event.record) };
  },
};

/** Bytes that a job reads from file systems, from its start to its end, as far as its site tells. */
export const READ_BYTES: Quantity<JobRequest, BytesForecast> = bytesQuantity('read-bytes', 'readBytes');

/** Bytes that a job writes to file systems, the same. */
export const WRITTEN_BYTES: Quantity<JobRequest, BytesForecast> = bytesQuantity('written-bytes', 'writtenBytes');

/** Everything that is forecast. A new quantity is a line here. */
export const QUANTITIES: readonly Quantity<unknown, unknown>[] = [WAIT, RUNTIME, READ_BYTES, WRITTEN_BYTES];

/** A forecast of a wait as every quantity's are kept. */
export function keptWait(forecast: WaitForecast): QuantityForecast {
  const { predictor, version, madeAt, observedAt } = forecast;
  return { quantity: WAIT.name, predictor, version, madeAt, observedAt, ...WAIT.spreadOf(forecast) };
}

/** A forecast of a runtime of a live site, in the words of runtimes. */
export function asRuntime({ quantity: _quantity, point, percentiles, ...made }: QuantityForecast): LiveRuntimeForecast {
  return { ...made, pointSeconds: point, quantileSeconds: percentiles };
}

/** Whether a forecast says anything. */
export function restsOnSomething({ sampleSize, point }: QuantityForecast): boolean {
  return sampleSize > 0 || Number.isFinite(point);
}

/** A forecast of bytes of a live site, in the words of bytes; null where it rests on nothing. */
export function asBytes(forecast: QuantityForecast): LiveBytesForecast | null {
  const { quantity: _quantity, point, percentiles, ...made } = forecast;
  return restsOnSomething(forecast) ? { ...made, pointBytes: point, quantileBytes: percentiles } : null;
}

/** The same as every quantity's are kept. */
export function keptRuntime(forecast: LiveRuntimeForecast): QuantityForecast {
  const { predictor, version, madeAt, observedAt } = forecast;
  return { quantity: RUNTIME.name, predictor, version, madeAt, observedAt, ...RUNTIME.spreadOf(forecast) };
}

/** Of forecasts of several quantities that of the runtime by the predictor that decides; null where there is none. */
export function runtimeAmong(forecasts: readonly QuantityForecast[]): LiveRuntimeForecast | null {
  const found = forecasts.find(({ quantity }) => quantity === RUNTIME.name);
  return found ? asRuntime(found) : null;
}

function spreadOfSeconds({ pointSeconds, quantileSeconds, sampleSize }: WaitForecast | RuntimeForecast): Spread {
  return { point: pointSeconds, percentiles: quantileSeconds, sampleSize };
}

function bytesQuantity(name: string, which: IoBytes): Quantity<JobRequest, BytesForecast> {
  return {
    name,
    predictors: which === 'readBytes' ? READ_PREDICTORS : WRITTEN_PREDICTORS,
    queryOf: requestOf,
    spreadOf: ({ pointBytes, quantileBytes, sampleSize }) => ({
      point: pointBytes,
      percentiles: quantileBytes,
      sampleSize,
    }),
    actualOf(event) {
      const value = event.kind === 'end' ? knownBytes(event.record, which) : null;
      if (event.kind !== 'end' || value === null) return null;
      return { nativeId: event.record.nativeId, submitAt: event.record.submitAt, value };
    },
  };
}
