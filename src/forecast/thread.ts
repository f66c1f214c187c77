import { parentPort, workerData } from 'node:worker_threads';
import { createBirpc } from 'birpc';
import { invariant } from '../domain/failures.ts';
import { openDatabase } from '../store/database.ts';
import { createLocalForecaster } from './local-forecaster.ts';
import type { ThreadFunctions, ThreadOptions } from './thread-options.ts';

const port = parentPort;
invariant(port, 'forecast/thread.ts runs as a worker thread only');
const options = workerData as ThreadOptions;
const database = openDatabase(options.databaseUrl, 2);
const { predictors: _predictors, close: _close, ...answers } = createLocalForecaster(database, options);

const functions: ThreadFunctions = { ...answers, stop: () => database.close() };

createBirpc<Record<string, never>, ThreadFunctions>(functions, {
  post: (message) => port.postMessage(message),
  on: (receive) => port.on('message', receive),
});
