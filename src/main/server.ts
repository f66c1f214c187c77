import { join } from 'node:path';
import type { Express } from 'express';
import { DEFAULT_LIMITS } from '../commands/carry-out/context.ts';
import { outputDeskOf } from '../commands/outputs/output-desk.ts';
import { type ApiOptions, startApi } from '../graphql/server.ts';
import { explainListenError } from './cannot-start.ts';
import { type Config, readConfig } from './config.ts';
import { checkedAdapters } from './flow-context.ts';
import { answerHealth } from './health.ts';
import { type RunningProcess, runUntilSignal } from './process.ts';
import { projectRoot } from './project-root.ts';
import { wire } from './wire.ts';

/** Starts the API with its health and metrics paths. */
export async function startServerProcess(config: Config = readConfig()): Promise<RunningProcess> {
  // Nobody waits longer for an answer.
  const parts = await wire(config, 'api', DEFAULT_LIMITS.maxOperationSeconds);
  let stopping = false;
  const condition = { isStopping: () => stopping, isAlive: () => true, reachesQueues: async () => true };
  const addHealth = (app: Express) => {
    app.use((request, response, next) => {
      answerHealth(parts, condition, request, response).then((answered) => {
        if (!answered) next();
      }, next);
    });
  };
  const options = {
    database: parts.database,
    clock: parts.clock,
    forecaster: parts.forecaster,
    adapters: checkedAdapters(parts),
    limits: {
      ...DEFAULT_LIMITS,
      maxScriptBytes: config.GRIDCAST_MAX_SCRIPT_BYTES,
      staleAfterSeconds: config.GRIDCAST_STALE_SECONDS,
      maxOpenJobs: config.GRIDCAST_MOST_OPEN_JOBS,
      maxStagedFileBytes: config.GRIDCAST_MAX_STAGED_FILE_BYTES,
      maxStagedJobBytes: config.GRIDCAST_MAX_STAGED_JOB_BYTES,
    },
    host: config.GRIDCAST_HOST,
    port: config.GRIDCAST_PORT,
    logger: parts.logger,
    consoleFolder: join(projectRoot(), 'dist/web'),
    routes: addHealth,
    onOperation: (operation) => parts.metrics.observeOperation(operation),
  } satisfies ApiOptions;
  const api = await startApi(options).catch(async (error: unknown) => {
    await parts.close();
    throw explainListenError(error, options.host, options.port, '--port or GRIDCAST_PORT');
  });
  parts.logger.info({ url: api.url }, 'API ready');
  return {
    url: api.url,
    isAlive: condition.isAlive,
    async close() {
      stopping = true;
      await api.close();
      await outputDeskOf(options.adapters).close();
      await parts.close();
    },
  };
}

/** What `gridcast serve` runs. */
export const runServer = (config?: Config): Promise<void> => runUntilSignal('api', () => startServerProcess(config));
