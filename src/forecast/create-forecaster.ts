import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import type { Forecaster } from './forecaster.ts';
import { predictorsOf, type ThreadFunctions, type ThreadOptions } from './thread-options.ts';

const ANSWER_MILLISECONDS = 60_000;

/**
 * Starts the thread that forecasts. Its models are rebuilt from the store's records, so several processes may each have one.
 * @param onCrash called when the thread dies; the process is of no use without it
 */
export function createForecaster(options: ThreadOptions, onCrash: (error: Error) => void): Forecaster {
  // Compiled the thread is a .js beside this file; from source it needs the loader that this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  const worker = new Worker(new URL(fromSource ? './thread.ts' : './thread.js', import.meta.url), {
    workerData: options,
    ...(fromSource && { execArgv: ['--import', '@oxc-node/core/register'] }),
  });
  worker.on('error', onCrash);
  const remote = createBirpc<ThreadFunctions>(
    {},
    {
      post: (message) => worker.postMessage(message),
      on: (receive) => worker.on('message', receive),
      timeout: ANSWER_MILLISECONDS,
    },
  );
  return {
    predictors: predictorsOf(options),
    forecastWaits: (siteId, queries, predictor) => remote.forecastWaits(siteId, queries, predictor),
    forecastByAll: (siteId, query) => remote.forecastByAll(siteId, query),
    offerReservation: (siteId, question) => remote.offerReservation(siteId, question),
    replanReservations: (siteId, held) => remote.replanReservations(siteId, held),
    weighRelease: (siteId, question) => remote.weighRelease(siteId, question),
    offerCoAllocation: (question) => remote.offerCoAllocation(question),
    state: () => remote.state(),
    stateOf: (siteId) => remote.stateOf(siteId),
    async close() {
      await remote.stop();
      await worker.terminate();
    },
  };
}
