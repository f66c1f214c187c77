import type { Logger } from 'pino';
import { adapters } from '../../adapters/index.ts';
import type { Clock } from '../domain/clock.ts';
import type { QueueStore } from '../flow/wake-queue.ts';
import { createForecaster } from '../forecast/create-forecaster.ts';
import type { Forecaster } from '../forecast/forecaster.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { untilDatabaseIsThere } from '../store/database-away.ts';
import { StatementCounts } from '../store/statements.ts';
import { assertMigrated } from './assert-migrated.ts';
import { createClock } from './clock.ts';
import type { Config } from './config.ts';
import { createLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { threadOptionsOf } from './thread-options.ts';

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

const START_PATIENCE_MILLISECONDS = 60_000;

/**
 * Puts the parts together. Nothing is contacted yet but the database, by the forecasting thread.
 * @throws Error when the configuration names no database
 */
export function wire(config: Config, processName: 'api' | 'worker'): Parts {
  const databaseUrl = config.DATABASE_URL;
  if (!databaseUrl)
    throw new Error('DATABASE_URL is not set; `gridcast serve` starts an embedded PostgreSQL without it');
  const logger = createLogger(config, processName);
  const statements = new StatementCounts();
  const onLost = (error: Error) => logger.warn({ err: error }, 'database connection lost');
  const database = openDatabase(databaseUrl, config.GRIDCAST_DATABASE_CONNECTIONS, onLost, statements);
  const forecaster = createForecaster(threadOptionsOf(config, databaseUrl, processName === 'api'), (error) => {
    logger.fatal({ err: error }, 'a forecasting thread died');
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  });
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
 * Waits for a PostgreSQL that is starting or away, a minute at most. The parts are closed when it does not come: their
 * threads would keep a process that is of no use.
 * @throws what it last said, or at once anything that waiting does not mend, as a wrong password
 * @throws CannotStart for a database of an older version
 */
export async function untilDatabaseAnswers(parts: Parts): Promise<void> {
  const { database, logger } = parts;
  const onAway = (error: Error) => logger.warn({ err: error }, 'waiting for the database');
  try {
    await untilDatabaseIsThere(() => database.db.$queryRaw`SELECT 1`, START_PATIENCE_MILLISECONDS, onAway);
    await assertMigrated(database);
  } catch (error) {
    await parts.close().catch(() => undefined);
    throw error;
  }
}
