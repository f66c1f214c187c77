import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { adapters } from '../../../adapters/index.ts';
import type { SimulatedSiteConfig } from '../../../adapters/simulator/config.ts';
import type { FaultsConfig } from '../../../adapters/simulator/faults.ts';
import type { JournalEntry, JournalSubmit } from '../../../adapters/simulator/journal.ts';
import { type SimulatedSitesServer, serveSimulatedSites } from '../../../adapters/simulator/server.ts';
import { type CommandContext, DEFAULT_LIMITS } from '../../../src/commands/carry-out/context.ts';
import { type Clock, ScaledClock } from '../../../src/domain/clock.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { FlowContext, FlowSettings } from '../../../src/flow/context.ts';
import type { QueueStore } from '../../../src/flow/queue-store.ts';
import { GroupPlans } from '../../../src/flow/steps/groups/group-plans.ts';
import { type FlowWorker, startFlowWorker } from '../../../src/flow/worker.ts';
import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import type { Forecaster } from '../../../src/forecast/forecaster.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { enqueueWakeUps } from '../../../src/store/outbox.ts';
import { ensurePrincipal, ensureTenant, type Principal } from '../../../src/store/principals.ts';
import { createSite, listSites, type SiteRow } from '../../../src/store/sites.ts';
import { readJournal } from '../../read-journal.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { QUICKEST, QUICKEST_CONFIGURED, QUICKEST_OTHERS } from '../quickest.ts';
import { NO_METERS } from './no-meters.ts';
import { openLocalFiles, STAGING_SETTINGS } from './staging-settings.ts';

/**
 * A whole deployment in one process on real stores: simulated sites behind HTTP, workers, a forecaster, a scaled clock.
 */
export interface World {
  readonly clock: Clock;
  readonly stores: TestDatabase;
  readonly forecaster: Forecaster;
  readonly principal: Principal;
  readonly commands: CommandContext;
  readonly settings: FlowSettings;
  /** Starts a worker as a process of its own, so that it can be killed; the world's end kills it. */
  spawnWorker(): ChildProcess;
  /** Adds a worker to this process; the world's end closes it. `wrap` may put faults around every adapter. */
  startWorker(wrap?: (adapter: SiteAdapter, site: string) => SiteAdapter): Promise<FlowWorker>;
  site(name: string): Promise<SiteRow>;
  /** Native jobs that the site accepted, from its own journal. */
  nativeJobs(site: string): JournalSubmit[];
  /** Everything that outsiders did to the site. */
  journal(site: string): JournalEntry[];
  execution(id: string): Promise<ExecutionRow>;
  /** Waits, by the wall, until the condition holds. */
  until(what: string, condition: () => Promise<boolean>, wallSeconds?: number): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly sites: readonly SimulatedSiteConfig[];
  readonly faults?: FaultsConfig;
  /** Clock seconds per wall second. */
  readonly scale: number;
  readonly redisUrl?: string;
  /** The database to live in; a fresh one when absent. The world's end drops it. */
  readonly stores?: TestDatabase;
  readonly settings?: Partial<FlowSettings>;
  /**
   * How long a submission may take to reach its site, by the clock; some two seconds of the wall where a promise must
   * be kept.
   */
  readonly handoverSeconds?: number;
  /** Whose forecasts decide in spawned workers; one that learns in no time unless told. */
  readonly predictor?: string;
}

/** Some quiet afternoon. */
const STARTS_AT = 1_780_000_000;

/**
 * Brings a deployment up and waits until every site has been observed once. No worker is started but one that then
 * stays.
 */
export async function createWorld(options: WorldOptions): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-world-'));
  const stores = options.stores ?? (await createTestDatabase());
  const wall = { readMilliseconds: () => Date.now(), sleep: (milliseconds: number) => sleep(milliseconds) };
  const clock = new ScaledClock({ wallMilliseconds: Date.now(), at: STARTS_AT, scale: options.scale }, wall);
  const server: SimulatedSitesServer = await serveSimulatedSites({
    sites: options.sites,
    clock,
    journalFolder: folder,
    port: 0,
    ...(options.faults && { faults: options.faults }),
  });
  const { database } = stores;
  const handoverSeconds = options.handoverSeconds ?? 0;
  const forecaster = createForecaster(
    {
      databaseUrl: stores.url,
      predictor: QUICKEST.wait,
      others: QUICKEST_OTHERS,
      alsoScored: ['baseline/mean', 'baseline/user-last'],
      freshMilliseconds: 20,
      handoverSeconds,
    },
    (error) => {
      throw error;
    },
  );
  const now = clock.now();
  const tenantId = await ensureTenant(database.db, 'physics', now);
  const id = await ensurePrincipal(database.db, tenantId, 'alice', 'ADMIN');
  const principal: Principal = { id, tenantId, tenantName: 'physics', name: 'alice', role: 'ADMIN' };
  const settings = { ...FAST, ...options.settings };
  const limits = { ...DEFAULT_LIMITS, staleAfterSeconds: settings.staleAfterSeconds };
  const workers: FlowWorker[] = [];
  const processes: ChildProcess[] = [];

  const world: World = {
    clock,
    stores,
    forecaster,
    principal,
    settings,
    commands: { database, clock, forecaster, adapters, limits, requestId: 'test' },
    spawnWorker() {
      const script = "import('./dist/src/main/worker.js').then((module) => module.runWorker())";
      const worker = spawn(process.execPath, ['--eval', script], {
        env: {
          ...process.env,
          ...workerEnvironment(stores.url, clock, settings, handoverSeconds, options.redisUrl, options.predictor),
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        // As under the supervisor. The scheduler then gives every worker its own share of the machine, whatever else
        // the tests do.
        detached: true,
      });
      processes.push(worker);
      return worker;
    },
    async startWorker(wrap = (adapter) => adapter) {
      const queues: QueueStore = { databaseUrl: stores.url, redisUrl: options.redisUrl ?? null };
      const worker = await startFlowWorker(flowContext(world, wrap), queues);
      workers.push(worker);
      return worker;
    },
    async site(name) {
      const site = (await listSites(database.db)).find((candidate) => candidate.name === name);
      if (!site) throw new Error(`no site ${name}`);
      return site;
    },
    journal: (site) => readJournal(folder, site),
    nativeJobs: (site) => readJournal(folder, site).filter((entry): entry is JournalSubmit => entry.kind === 'submit'),
    async execution(executionId) {
      const execution = await findExecution(database.db, executionId);
      if (!execution) throw new Error(`no execution ${executionId}`);
      return execution;
    },
    async until(what, condition, wallSeconds = 60) {
      const giveUpAt = performance.now() + wallSeconds * 1000;
      while (!(await condition())) {
        if (performance.now() > giveUpAt) throw new Error(`not within ${wallSeconds} s: ${what}`);
        await sleep(50);
      }
    },
    async close() {
      for (const worker of workers) await worker.close();
      for (const worker of processes) worker.kill('SIGKILL');
      await forecaster.close();
      await server.close();
      await stores.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  const accountingLagSeconds = options.faults?.accountingLagSeconds ?? 0;
  for (const { name } of options.sites) {
    await database.transaction(async (tx) => {
      const site = await createSite(tx, {
        name,
        adapter: 'simulator',
        configuration: { url: server.url, site: name, accountingLagSeconds },
        now,
      });
      await enqueueWakeUps(tx, [{ kind: 'SITE', targetId: site.id, wakeAt: now, requestId: null }]);
    });
  }
  return world;
}

/** The settings of a world as the configuration of a process. */
function workerEnvironment(
  databaseUrl: string,
  clock: ScaledClock,
  settings: FlowSettings,
  handoverSeconds: number,
  redisUrl = '',
  predictor: string = QUICKEST.wait,
) {
  const { wallMilliseconds, at, scale } = clock.anchor;
  const variables = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    GRIDCAST_LOG_LEVEL: 'fatal',
    ...QUICKEST_CONFIGURED,
    GRIDCAST_PREDICTOR: predictor,
    GRIDCAST_CLOCK_AT: at,
    GRIDCAST_CLOCK_WALL_MILLISECONDS: wallMilliseconds,
    GRIDCAST_CLOCK_SCALE: scale,
    GRIDCAST_LEASE_MILLISECONDS: settings.leaseMilliseconds,
    GRIDCAST_STEP_MILLISECONDS: settings.stepMilliseconds,
    GRIDCAST_CALL_MILLISECONDS: settings.callMilliseconds,
    GRIDCAST_SWEEP_MILLISECONDS: settings.sweepMilliseconds,
    GRIDCAST_OBSERVE_SECONDS: settings.observeIntervalSeconds,
    GRIDCAST_HISTORY_SECONDS: settings.historyIntervalSeconds,
    GRIDCAST_RECOMPUTE_SECONDS: settings.recomputeIntervalSeconds,
    GRIDCAST_STALE_SECONDS: settings.staleAfterSeconds,
    GRIDCAST_RETRY_SECONDS: settings.retrySeconds,
    GRIDCAST_REFUSAL_SECONDS: settings.refusalSeconds,
    GRIDCAST_PATIENCE_SECONDS: settings.patienceSeconds,
    GRIDCAST_HANDOVER_SECONDS: handoverSeconds,
  };
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]));
}

/** Intervals that suit a clock some hundred times as fast as the wall. */
const FAST: FlowSettings = {
  maxSkewSeconds: 300,
  leaseMilliseconds: 2000,
  stepMilliseconds: 120_000,
  callMilliseconds: 60_000,
  observeIntervalSeconds: 60,
  historyIntervalSeconds: 600,
  recomputeIntervalSeconds: 300,
  staleAfterSeconds: 3600,
  retrySeconds: 30,
  refusalSeconds: 900,
  patienceSeconds: 86_400,
  retentionSeconds: 30 * 86_400,
  scriptRetentionSeconds: 90 * 86_400,
  forecastRetentionMonths: null,
  concurrency: 8,
  sweepMilliseconds: 250,
  overdueSeconds: 300,
  staging: STAGING_SETTINGS,
};

/** What a worker in this process works with. */
export function flowContext(world: World, wrap: (adapter: SiteAdapter, site: string) => SiteAdapter): FlowContext {
  const connected = new Map<string, SiteAdapter>();
  const { clock, forecaster, settings } = world;
  return {
    database: world.stores.database,
    clock,
    forecaster,
    settings,
    logger: pino({ level: 'fatal' }),
    meters: NO_METERS,
    remoteFiles: openLocalFiles(),
    groupPlans: new GroupPlans(),
    adapterOf(site) {
      const adapter = connected.get(site.id) ?? wrap(adapters.connect(site.adapter, site.configuration), site.name);
      connected.set(site.id, adapter);
      return adapter;
    },
  };
}
