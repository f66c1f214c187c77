import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { invariant } from '../domain/failures.ts';
import { openDatabase } from '../store/database.ts';
import { isDatabaseAway } from '../store/database-away.ts';
import { supplyLiveTrainer } from '../training/supply.ts';
import { createLocalForecaster } from './local-forecaster.ts';
import type { PostedQuestion, ThreadFunctions, ThreadOptions } from './thread-options.ts';

/** How long a site may go unwatched that nobody asks about, in wall time. */
const FOLLOW_MILLISECONDS = 5000;

const port = parentPort;
invariant(port, 'forecast/thread.ts runs as a worker thread only');
const options = workerData as ThreadOptions;
supplyLiveTrainer();
const database = openDatabase(options.databaseUrl, 2);
const { follow, askedBy, state, stateOf } = createLocalForecaster(database, options);
const underWay = new Map<number, AbortController>();

let following: Promise<void> | null = null;
const turns = setInterval(() => {
  following ??= followOnce().finally(() => {
    following = null;
  });
}, FOLLOW_MILLISECONDS);

const functions: ThreadFunctions = {
  state,
  stateOf,
  ask,
  cancel(id) {
    underWay.get(id)?.abort();
  },
  async stop() {
    clearInterval(turns);
    await following;
    await database.close();
  },
};

createBirpc<Record<string, never>, ThreadFunctions>(functions, {
  post: (message) => port.postMessage(message),
  on: (receive) => port.on('message', receive),
});

/** A database that is away is asked again at the next turn; who asks for a forecast meanwhile is told. */
async function followOnce(): Promise<void> {
  try {
    await follow();
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
  }
}

async function ask({ id, asker, name, args }: PostedQuestion): Promise<unknown> {
  const controller = new AbortController();
  underWay.set(id, controller);
  try {
    const question = askedBy({ name: asker, signal: controller.signal })[name] as (...args: unknown[]) => unknown;
    return await question(...args);
  } finally {
    underWay.delete(id);
  }
}
