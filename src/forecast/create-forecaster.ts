import { randomInt } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { ThreadQuestions } from './ask-thread.ts';
import type { Forecaster } from './forecaster.ts';
import {
  ANSWER_MILLISECONDS,
  predictorsOf,
  type ThreadData,
  type ThreadFunctions,
  type ThreadOptions,
} from './thread-options.ts';

const LARGEST_ID = 2 ** 31 - 1;

/**
 * Starts the thread that forecasts. Of several processes one learns each site, and the others read what it has learned.
 * @param onCrash called when the thread dies; the process is of no use without it
 */
export function createForecaster(options: ThreadOptions, onCrash: (error: Error) => void): Forecaster {
  // Compiled the thread is a .js beside this file; from source it needs the loader that this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  const worker = new Worker(new URL(fromSource ? './thread.ts' : './thread.js', import.meta.url), {
    workerData: { ...options, processId: randomInt(1, LARGEST_ID) } satisfies ThreadData,
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
  const questions = new ThreadQuestions({
    ask: (asked) => remote.ask(asked),
    cancel: (id) => void remote.cancel.asEvent(id),
  });
  return {
    predictors: predictorsOf(options),
    ...questions.askedBy(),
    askedBy: (asker) => questions.askedBy(asker),
    state: () => remote.state(),
    stateOf: (siteId) => remote.stateOf(siteId),
    async close() {
      await remote.stop();
      await worker.terminate();
    },
  };
}
