import type { Logger } from 'pino';
import { adapters } from '../../adapters/index.ts';
import type { Clock } from '../domain/clock.ts';
import type { QueueStore } from '../flow/wake-queue.ts';
import { createForecaster } from '../forecast/create-forecaster.ts';
import type { Forecaster } from '../forecast/forecaster.ts';
import { LOAD } from '../predict/load/load.ts';
import { READ_BYTES, RUNTIME, WRITTEN_BYTES } from '../predict/quantities.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { untilDatabaseIsThere } from '../store/database-away.ts';
import { StatementCounts } from '../store/statements.ts';
import { createClock } from './clock.ts';
import type { Config } from './config.ts';
import { createLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { readEmbedding } from './read-embedding.ts';

/** What every process of the service is made of. */
export interface Parts {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly database: Database;
  readonly queues: QueueStore;
  readonly forecaster: Forecaster;
  readonly metrics: Metrics;
  readonly adapters: typeof adapters;
  close(): Promise<void>;
}

/** Forecasts may be that old, in wall time, before the store is asked for newer records. */
const FRESH_MILLISECONDS = 250;
/** What is overdue when a process starts, and the first look at every site, come before the learning of pasts. */
const LEARNS_AFTER_MILLISECONDS = 10_000;
const START_PATIENCE_MILLISECONDS = 60_000;

/**
 * Puts the parts together. Nothing is contacted yet but the database, by the forecasting thread.
 * @throws Error when the configuration names no database
 */
export function wire(config: Config, processName: string): Parts {
  const databaseUrl = config.DATABASE_URL;
  if (!databaseUrl)
    throw new Error('DATABASE_URL is not set; `gridcast serve` starts an embedded PostgreSQL without it');
  const logger = createLogger(config, processName);
  const statements = new StatementCounts();
  const onLost = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const database = openDatabase(databaseUrl, config.GRIDCAST_DATABASE_CONNECTIONS, onLost, statements);
  const io = [config.GRIDCAST_IO_PREDICTOR, ...config.GRIDCAST_IO_ALSO_SCORED];
  const forecaster = createForecaster(
    {
      databaseUrl,
      predictor: config.GRIDCAST_PREDICTOR,
      alsoScored: config.GRIDCAST_ALSO_SCORED,
      others: {
        [RUNTIME.name]: [config.GRIDCAST_RUNTIME_PREDICTOR, ...config.GRIDCAST_RUNTIME_ALSO_SCORED],
        [READ_BYTES.name]: io,
        [WRITTEN_BYTES.name]: io,
        [LOAD.name]: [config.GRIDCAST_LOAD_PREDICTOR, ...config.GRIDCAST_LOAD_ALSO_SCORED],
      },
      ...readEmbedding(config),
      freshMilliseconds: FRESH_MILLISECONDS,
      handoverSeconds: config.GRIDCAST_HANDOVER_SECONDS,
      learnsAfterMilliseconds: LEARNS_AFTER_MILLISECONDS,
      threads: config.GRIDCAST_FORECAST_THREADS,
      mostSites: config.GRIDCAST_FORECAST_SITES,
    },
    (error) => {
      logger.fatal({ err: error }, 'a forecasting thread died');
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    },
  );
  return {
    config,
    clock: createClock(config),
    logger,
    database,
    queues: { databaseUrl, redisUrl: config.REDIS_URL ?? null, statements },
    forecaster,
    metrics: createMetrics(database, forecaster, statements),
    adapters,
    async close() {
      await forecaster.close();
      await database.close();
    },
  };
}

/**
 * Waits for a PostgreSQL that is starting or away, a minute at most.
 * @throws what it last said, or at once anything that waiting does not mend, as a wrong password
 */
export async function untilDatabaseAnswers({ database, logger }: Parts): Promise<void> {
  const onAway = (error: Error) => logger.warn({ err: error }, 'waiting for the database');
  await untilDatabaseIsThere(() => database.db.$queryRaw`SELECT 1`, START_PATIENCE_MILLISECONDS, onAway);
}
