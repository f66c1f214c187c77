import type {
  LiveRuntimeForecast,
  QuantityForecast,
  RuntimeForecast,
  WaitForecast,
  WaitQuery,
} from '../domain/forecast.ts';
import { hasRun, type JobRequest, ranSeconds, requestOf, waitSeconds, wasTakenDown } from '../domain/job.ts';
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

/** Everything that is forecast. A new quantity is a line here. */
export const QUANTITIES: readonly Quantity<unknown, unknown>[] = [WAIT, RUNTIME];

/** A forecast of a wait as every quantity's are kept. */
export function keptWait(forecast: WaitForecast): QuantityForecast {
  const { predictor, version, madeAt, observedAt } = forecast;
  return { quantity: WAIT.name, predictor, version, madeAt, observedAt, ...WAIT.spreadOf(forecast) };
}

/** A forecast of a runtime of a live site, in the words of runtimes. */
export function asRuntime({ quantity: _quantity, point, percentiles, ...made }: QuantityForecast): LiveRuntimeForecast {
  return { ...made, pointSeconds: point, quantileSeconds: percentiles };
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
