import { Worker } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { inOneMessageATurn } from './one-message-a-turn.ts';
import { ANSWER_MILLISECONDS, type HostFunctions, type ThreadData, type ThreadFunctions } from './thread-options.ts';

/** One thread that forecasts, as its process sees it. */
export interface RunningThread extends ThreadFunctions {
  /** Ends it; it gives back the sites that it owns. */
  end(): Promise<void>;
}

/**
 * Starts a thread that forecasts.
 * @param onCrash called when the thread dies; the process is of no use without it
 */
export function startThread(data: ThreadData, host: HostFunctions, onCrash: (error: Error) => void): RunningThread {
  // Compiled the thread is a .js beside this file; from source it needs the loader that this process was started with.
  const fromSource = import.meta.url.endsWith('.ts');
  const worker = new Worker(new URL(fromSource ? './thread.ts' : './thread.js', import.meta.url), {
    workerData: data,
    ...(fromSource && { execArgv: ['--import', '@oxc-node/core/register'] }),
  });
  let isOver = false;
  const crash = (error: Error) => {
    if (isOver) return;
    isOver = true;
    onCrash(error);
  };
  worker.on('error', crash);
  worker.on('exit', (code) => crash(new Error(`a forecasting thread ended by itself with code ${code}`)));
  const remote = createBirpc<ThreadFunctions, HostFunctions>(host, {
    ...inOneMessageATurn(worker),
    timeout: ANSWER_MILLISECONDS,
  });
  return {
    ask: (asked) => remote.ask(asked),
    cancel: (id) => void remote.cancel.asEvent(id),
    state: () => remote.state(),
    stateOf: (siteId) => remote.stateOf(siteId),
    lookAfter: (homes) => remote.lookAfter(homes),
    stop: () => remote.stop(),
    async end() {
      if (!isOver) await remote.stop();
      isOver = true;
      await worker.terminate();
    },
  };
}
