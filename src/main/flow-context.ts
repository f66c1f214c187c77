import type { AdapterRegistry } from '../domain/adapter-registry.ts';
import type { SiteAdapter } from '../domain/site-adapter.ts';
import { userOf } from '../domain/site-identity.ts';
import { CheckedAdapter, type CheckLimits } from '../flow/checked-adapter.ts';
import { checkedRegistry } from '../flow/checked-registry.ts';
import type { FlowContext, FlowSettings } from '../flow/context.ts';
import { SiteConnections } from '../flow/site-connections.ts';
import { RemoteFiles } from '../flow/staging/remote-files.ts';
import { GroupPlans } from '../flow/steps/groups/group-plans.ts';
import { withoutIdentity } from '../flow/without-identity.ts';
import type { SiteRow } from '../store/sites.ts';
import type { Config } from './config.ts';
import type { Parts } from './wire.ts';

/** The last resort: adapters end their calls long before. */
const CALL_MILLISECONDS = 300_000;

/** A large file over a slow line. */
const STAGING_STEP_MILLISECONDS = 6 * 3_600_000;

/** The adapters as the API may use them. */
export function checkedAdapters({ adapters, clock, config, logger }: Parts): AdapterRegistry {
  return checkedRegistry(adapters, clock, checkLimits(config), logger);
}

function checkLimits(config: Config): CheckLimits {
  return { maxSkewSeconds: config.GRIDCAST_MAX_SKEW_SECONDS, callMilliseconds: CALL_MILLISECONDS };
}

/** The steps' view of the parts. */
export function flowContext(parts: Parts): FlowContext {
  const { adapters, database, clock, forecaster, logger, config, metrics } = parts;
  const limits = checkLimits(config);
  const connections = new SiteConnections({
    connect: (site, tenant) => {
      const user = tenant === undefined ? null : userOf(site.configuration, tenant);
      const adapter = connectAs(adapters, site, tenant, user);
      return new CheckedAdapter(adapter, clock, limits, logger, user ? `${site.name} as ${user}` : site.name);
    },
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
    remoteFiles: new RemoteFiles(config.GRIDCAST_STAGING_PRIVATE_HOSTS),
    groupPlans: new GroupPlans(),
    adapterOf: (site, tenant) => connections.adapterOf(site, tenant),
  };
}

/** As the gateway, or as a tenant's account there; one that it does not have fails at every verb. */
function connectAs(
  adapters: AdapterRegistry,
  { adapter, configuration, name }: SiteRow,
  tenant: string | undefined,
  user: string | null | undefined,
): SiteAdapter {
  if (tenant === undefined || user === null) return adapters.connect(adapter, configuration);
  return user === undefined ? withoutIdentity(name, tenant) : adapters.connect(adapter, configuration, tenant);
}

function flowSettings(config: Config): FlowSettings {
  const wallSecond = config.GRIDCAST_CLOCK_SCALE;
  return {
    leaseMilliseconds: config.GRIDCAST_LEASE_MILLISECONDS,
    stepMilliseconds: config.GRIDCAST_STEP_MILLISECONDS,
    callMilliseconds: config.GRIDCAST_CALL_MILLISECONDS,
    maxSkewSeconds: config.GRIDCAST_MAX_SKEW_SECONDS,
    observeIntervalSeconds: config.GRIDCAST_OBSERVE_SECONDS,
    historyIntervalSeconds: config.GRIDCAST_HISTORY_SECONDS,
    recomputeIntervalSeconds: config.GRIDCAST_RECOMPUTE_SECONDS,
    staleAfterSeconds: config.GRIDCAST_STALE_SECONDS,
    retrySeconds: config.GRIDCAST_RETRY_SECONDS,
    refusalSeconds: config.GRIDCAST_REFUSAL_SECONDS,
    patienceSeconds: config.GRIDCAST_PATIENCE_SECONDS,
    retentionSeconds: config.GRIDCAST_RETENTION_DAYS * 86_400,
    scriptRetentionSeconds: config.GRIDCAST_SCRIPT_RETENTION_DAYS * 86_400,
    forecastRetentionMonths: config.GRIDCAST_FORECAST_RETENTION_MONTHS ?? null,
    concurrency: config.GRIDCAST_WORKER_CONCURRENCY,
    sweepMilliseconds: config.GRIDCAST_SWEEP_MILLISECONDS,
    overdueSeconds: 2 * wallSecond,
    staging: {
      mostFileBytes: config.GRIDCAST_MAX_STAGED_FILE_BYTES,
      mostJobBytes: config.GRIDCAST_MAX_STAGED_JOB_BYTES,
      deadlineSeconds: config.GRIDCAST_STAGING_SECONDS,
      keptSeconds: config.GRIDCAST_KEPT_FOLDER_DAYS * 86_400,
      mostKept: config.GRIDCAST_MOST_KEPT_FOLDERS,
      stepMilliseconds: STAGING_STEP_MILLISECONDS,
      sliceMilliseconds: config.GRIDCAST_STEP_MILLISECONDS / 6,
    },
  };
}
