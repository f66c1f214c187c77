import type { Logger } from 'pino';
import { adapters } from '../../adapters/index.ts';
import type { AdapterRegistry } from '../domain/adapter-registry.ts';
import type { Clock } from '../domain/clock.ts';
import { CheckedAdapter, type CheckLimits } from '../flow/checked-adapter.ts';
import { checkedRegistry } from '../flow/checked-registry.ts';
import type { FlowContext, FlowSettings } from '../flow/context.ts';
import { SiteConnections } from '../flow/site-connections.ts';
import type { QueueStore } from '../flow/wake-queue.ts';
import { createForecaster } from '../forecast/create-forecaster.ts';
import type { Forecaster } from '../forecast/forecaster.ts';
import { RUNTIME } from '../predict/quantities.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { untilDatabaseIsThere } from '../store/database-away.ts';
import { createClock } from './clock.ts';
import type { Config } from './config.ts';
import { createLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { readTuned } from './read-tuned.ts';

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
/** The last resort: adapters end their calls long before. */
const CALL_MILLISECONDS = 300_000;

/**
 * Puts the parts together. Nothing is contacted yet but the database, by the forecasting thread.
 * @throws Error when the configuration names no database
 */
export function wire(config: Config, processName: string): Parts {
  const databaseUrl = config.DATABASE_URL;
  if (!databaseUrl)
    throw new Error('DATABASE_URL is not set; `gridcast serve` starts an embedded PostgreSQL without it');
  const logger = createLogger(config, processName);
  const database = openDatabase(databaseUrl, config.GRIDCAST_DATABASE_CONNECTIONS, (error) =>
    logger.warn({ err: error }, 'database connection lost'),
  );
  const forecaster = createForecaster(
    {
      databaseUrl,
      predictor: config.GRIDCAST_PREDICTOR,
      alsoScored: config.GRIDCAST_ALSO_SCORED,
      others: { [RUNTIME.name]: [config.GRIDCAST_RUNTIME_PREDICTOR, ...config.GRIDCAST_RUNTIME_ALSO_SCORED] },
      settings: readTuned(config.GRIDCAST_TUNED),
      freshMilliseconds: FRESH_MILLISECONDS,
      handoverSeconds: config.GRIDCAST_HANDOVER_SECONDS,
      learnsAfterMilliseconds: LEARNS_AFTER_MILLISECONDS,
    },
    (error) => {
      logger.fatal({ err: error }, 'the forecasting thread died');
      process.exitCode = 1;
      process.kill(process.pid, 'SIGTERM');
    },
  );
  return {
    config,
    clock: createClock(config),
    logger,
    database,
    queues: { databaseUrl, redisUrl: config.REDIS_URL ?? null },
    forecaster,
    metrics: createMetrics(database, forecaster),
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

/** The adapters as the API may use them. */
export function checkedAdapters({ clock, config, logger }: Parts): AdapterRegistry {
  return checkedRegistry(adapters, clock, checkLimits(config), logger);
}

function checkLimits(config: Config): CheckLimits {
  return { maxSkewSeconds: config.GRIDCAST_MAX_SKEW_SECONDS, callMilliseconds: CALL_MILLISECONDS };
}

/** The steps' view of the parts. */
export function flowContext(parts: Parts): FlowContext {
  const { database, clock, forecaster, logger, config, metrics } = parts;
  const limits = checkLimits(config);
  const connections = new SiteConnections({
    connect: ({ adapter, configuration, name }) =>
      new CheckedAdapter(adapters.connect(adapter, configuration), clock, limits, logger, name),
    lingerMilliseconds: config.GRIDCAST_STEP_MILLISECONDS,
    onError: (error, siteId) => logger.warn({ err: error, siteId }, 'an adapter could not be closed'),
  });
  return {
    database,
    clock,
    forecaster,
    logger,
    settings: flowSettings(config),
    meters: metrics.flow,
    adapterOf: (site) => connections.adapterOf(site),
  };
}

function flowSettings(config: Config): FlowSettings {
  const wallSecond = config.GRIDCAST_CLOCK_SCALE;
  return {
    leaseMilliseconds: config.GRIDCAST_LEASE_MILLISECONDS,
    stepMilliseconds: config.GRIDCAST_STEP_MILLISECONDS,
    callMilliseconds: config.GRIDCAST_CALL_MILLISECONDS,
    observeIntervalSeconds: config.GRIDCAST_OBSERVE_SECONDS,
    historyIntervalSeconds: config.GRIDCAST_HISTORY_SECONDS,
    recomputeIntervalSeconds: config.GRIDCAST_RECOMPUTE_SECONDS,
    staleAfterSeconds: config.GRIDCAST_STALE_SECONDS,
    retrySeconds: config.GRIDCAST_RETRY_SECONDS,
    refusalSeconds: config.GRIDCAST_REFUSAL_SECONDS,
    patienceSeconds: config.GRIDCAST_PATIENCE_SECONDS,
    retentionSeconds: config.GRIDCAST_RETENTION_DAYS * 86_400,
    concurrency: config.GRIDCAST_WORKER_CONCURRENCY,
    sweepMilliseconds: config.GRIDCAST_SWEEP_MILLISECONDS,
    overdueSeconds: 2 * wallSecond,
  };
}
