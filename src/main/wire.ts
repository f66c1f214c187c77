import type { Logger } from 'pino';
import { adapters } from '../../adapters/index.ts';
import type { Clock } from '../domain/clock.ts';
import type { QueueStore } from '../flow/queue-store.ts';
import { createForecaster } from '../forecast/create-forecaster.ts';
import type { Forecaster } from '../forecast/forecaster.ts';
import type { Database } from '../store/database.ts';
import { outagesOf } from '../store/outages.ts';
import { StatementCounts } from '../store/statements.ts';
import { createClock } from './clock.ts';
import type { Config } from './config.ts';
import { logConsole } from './console-words.ts';
import { createLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { openMigrated } from './open-migrated.ts';
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

/**
 * Puts the parts together, once the database is there. Nothing else is contacted yet.
 * @param mostStatementSeconds after which PostgreSQL ends a statement; null for whenever it is done
 * @throws Error when the configuration names no database
 * @throws CannotStart when it cannot be reached, or is of an older version
 */
export async function wire(
  config: Config,
  processName: 'api' | 'worker',
  mostStatementSeconds: number | null,
): Promise<Parts> {
  const databaseUrl = config.DATABASE_URL;
  if (!databaseUrl)
    throw new Error('DATABASE_URL is not set; `gridcast serve` starts an embedded PostgreSQL without it');
  const logger = createLogger(config, processName);
  const giveConsoleBack = logConsole(logger);
  const statements = new StatementCounts();
  const bounds = { mostSkewSeconds: config.GRIDCAST_MAX_SKEW_SECONDS, mostStatementSeconds };
  const opening = openMigrated(databaseUrl, config.GRIDCAST_DATABASE_CONNECTIONS, logger, statements, bounds);
  opening.catch(giveConsoleBack);
  const database = await opening;
  const forecaster = createForecaster(
    threadOptionsOf(config, databaseUrl, processName === 'api'),
    (error) => {
      logger.fatal({ err: error }, 'a forecasting thread died');
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    },
    (what, reason) => {
      if (!outagesOf(logger).note(new Error(reason), what, {})) logger.warn({ reason }, what);
    },
  );
  const clock = createClock(config);
  return {
    config,
    clock,
    logger,
    database,
    queues: { databaseUrl, redisUrl: config.REDIS_URL ?? null, statements },
    forecaster,
    metrics: createMetrics({ database, clock, forecaster, statements }),
    adapters,
    async close() {
      await forecaster.close();
      await database.close();
      giveConsoleBack();
    },
  };
}
