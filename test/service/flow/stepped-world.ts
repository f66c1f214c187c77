import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { adapters } from '../../../adapters/index.ts';
import { type SimulatedSiteConfig, simulatedSiteConfig } from '../../../adapters/simulator/config.ts';
import type { JournalEntry } from '../../../adapters/simulator/journal.ts';
import { SimulatedSite } from '../../../adapters/simulator/simulated-site.ts';
import { type CommandContext, DEFAULT_LIMITS } from '../../../src/commands/carry-out/context.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { advance } from '../../../src/flow/advance.ts';
import type { FlowContext, FlowSettings } from '../../../src/flow/context.ts';
import { tellMissedDeadlines } from '../../../src/flow/deadlines.ts';
import { recomputeHeld } from '../../../src/flow/recompute.ts';
import { GroupPlans } from '../../../src/flow/steps/groups/group-plans.ts';
import type { FollowedPredictors } from '../../../src/forecast/followed-quantity.ts';
import { createLocalForecaster } from '../../../src/forecast/local-forecaster.ts';
import { RandomStream } from '../../../src/sim/random.ts';
import type { Workload } from '../../../src/sim/workload.ts';
import type { Database } from '../../../src/store/database.ts';
import { findOverdueWakeUps, type WakeUp } from '../../../src/store/outbox.ts';
import { ensurePrincipal, ensureTenant, type Principal } from '../../../src/store/principals.ts';
import { createSite } from '../../../src/store/sites.ts';
import { readJournal } from '../../read-journal.ts';
import { SteppedClock } from '../../stepped-clock.ts';
import { createTestDatabase } from '../database.ts';
import { QUICKEST, QUICKEST_OTHERS } from '../quickest.ts';
import { NO_METERS } from './no-meters.ts';
import { openLocalFiles, STAGING_SETTINGS } from './staging-settings.ts';

/**
 * A whole deployment that moves only when it is told to: a real PostgreSQL, simulated sites in this process, a clock
 * that jumps from one due row to the next, and one turn at a time in an order drawn by the seed. What happens in it
 * follows from the seed alone.
 */
export interface SteppedWorld {
  readonly seed: number;
  readonly random: RandomStream;
  readonly clock: SteppedClock;
  readonly database: Database;
  /** Address of that. */
  readonly url: string;
  readonly commands: CommandContext;
  readonly principal: Principal;
  readonly settings: FlowSettings;
  readonly siteIds: ReadonlyMap<string, string>;
  /** The site itself, for what its adapter would not do. */
  site(name: string): SimulatedSite;
  /** What the site accepted and cancelled, from its own journal. */
  journal(site: string): JournalEntry[];
  /** A worker's view of the world; `wrap` may put faults around the database and the adapters. */
  worker(wrap?: Partial<Wrap>): FlowContext;
  /**
   * Gives every due row its turn, or when none is due moves the clock to the next that is. Returns the rows in hand.
   */
  step(worker: () => FlowContext, onError?: (error: unknown) => Promise<void>): Promise<readonly WakeUp[]>;
  /** Steps until the condition holds. */
  until(what: string, condition: () => Promise<boolean>, worker?: FlowContext): Promise<void>;
  /** Every lease that is held runs out, as those of dead or paused workers do in time. */
  expireLeases(): Promise<void>;
  close(): Promise<void>;
}

export interface Wrap {
  database(database: Database): Database;
  /** `tenant` has an account of its own there that is used. */
  adapter(adapter: SiteAdapter, site: string, tenant?: string): SiteAdapter;
}

/** Some quiet afternoon. */
const STARTS_AT = 1_780_000_000;
const MOST_STEPS = 1000;

export async function createSteppedWorld(options: {
  seed: number;
  sites: readonly SimulatedSiteConfig[];
  /** The logs that sites replay, by the sites' names. */
  traces?: Readonly<Record<string, Workload>>;
  accountingLagSeconds?: number;
  settings?: Partial<FlowSettings>;
  /** Name of the predictor that decides; the quickest that learns, unless told (decision 066). */
  predictor?: string;
  /** Names of those of other quantities; the quickest that learn, unless told. */
  others?: FollowedPredictors;
}): Promise<SteppedWorld> {
  const { seed, accountingLagSeconds = 0, predictor = QUICKEST.wait, others = QUICKEST_OTHERS } = options;
  const folder = mkdtempSync(join(tmpdir(), 'gridcast-stepped-'));
  const stores = await createTestDatabase();
  const { database } = stores;
  const { db } = database;
  const clock = new SteppedClock(STARTS_AT);
  const random = new RandomStream(seed);
  const settings = { ...SETTINGS, ...options.settings };
  const forecaster = createLocalForecaster(database, {
    predictor,
    others,
    alsoScored: [],
    freshMilliseconds: 0,
    handoverSeconds: settings.observeIntervalSeconds,
  });
  const tenantId = await ensureTenant(db, 'physics', STARTS_AT);
  const id = await ensurePrincipal(db, tenantId, 'alice', 'ADMIN');
  const principal: Principal = { id, tenantId, tenantName: 'physics', name: 'alice', role: 'ADMIN' };
  const limits = { ...DEFAULT_LIMITS, staleAfterSeconds: settings.staleAfterSeconds };
  const remoteFiles = openLocalFiles();
  const sites = new Map<string, SimulatedSite>();
  const siteIds = new Map<string, string>();
  for (const config of options.sites) {
    const resolved = simulatedSiteConfig.parse(config);
    const trace = options.traces?.[config.name] ?? null;
    sites.set(config.name, new SimulatedSite(resolved, trace, clock, folder, accountingLagSeconds));
    await database.transaction(async (tx) => {
      const site = { name: config.name, adapter: 'simulator', configuration: {}, now: STARTS_AT };
      const row = await createSite(tx, site);
      siteIds.set(config.name, row.id);
    });
  }

  const world: SteppedWorld = {
    seed,
    random,
    clock,
    database,
    url: stores.url,
    principal,
    settings,
    siteIds,
    commands: { database, clock, forecaster, adapters, limits, requestId: `seed-${seed}` },
    site(name) {
      const site = sites.get(name);
      if (!site) throw new Error(`no site ${name}`);
      return site;
    },
    journal: (site) => readJournal(folder, site),
    worker({ database: wrapDatabase, adapter: wrapAdapter }: Partial<Wrap> = {}) {
      const connected = new Map<string, SiteAdapter>();
      return {
        database: wrapDatabase ? wrapDatabase(database) : database,
        clock,
        forecaster,
        settings,
        logger: pino({ level: 'fatal' }),
        meters: NO_METERS,
        remoteFiles,
        groupPlans: new GroupPlans(),
        adapterOf({ name }, tenant) {
          const key = JSON.stringify([name, tenant]);
          const known = connected.get(key);
          if (known) return known;
          const plain = adapterFor(world.site(name), accountingLagSeconds);
          const adapter = wrapAdapter ? wrapAdapter(plain, name, tenant) : plain;
          connected.set(key, adapter);
          return adapter;
        },
      };
    },
    async step(worker, onError = fail) {
      const due = shuffle(await dueRows(database, clock.now()), random);
      for (const wakeUp of due) await advance(worker(), wakeUp).catch(onError);
      if (due.length === 0) {
        const next = await nextWakeAt(database);
        if (next === null) throw new Error(`seed ${seed}: nothing will ever happen again`);
        clock.advanceTo(Math.max(clock.now(), next));
      }
      await tellMissedDeadlines(worker());
      await recomputeAll(worker()).catch(onError);
      return due;
    },
    async until(what, condition, worker = world.worker()) {
      for (let steps = 0; !(await condition()); steps++) {
        if (steps > MOST_STEPS) throw new Error(`seed ${seed}: not within ${MOST_STEPS} steps: ${what}`);
        await world.step(() => worker);
      }
    },
    async expireLeases() {
      for (const table of ['Execution', 'Site', 'CoAllocation', 'JobGroup', 'BulkCancel', 'Staging']) {
        await db.$executeRawUnsafe(
          `UPDATE "${table}" SET "leaseExpiresAt" = clock_timestamp() - interval '1 second' WHERE "leaseExpiresAt" IS NOT NULL`,
        );
      }
    },
    async close() {
      await remoteFiles.close();
      await stores.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await world.until('every site was observed', async () => {
    return (await db.site.count({ where: { observedAt: null } })) === 0;
  });
  return world;
}

async function recomputeAll(worker: FlowContext): Promise<void> {
  while ((await recomputeHeld(worker, 50)) === 50);
}

/** Rows that want a turn, in an order that does not depend on their random ids. */
async function dueRows(database: Database, now: number): Promise<WakeUp[]> {
  const found = await findOverdueWakeUps(database.db, now + 0.001, 1000);
  const names = new Map<string, string>();
  for (const { id, name } of await database.db.site.findMany({ select: { id: true, name: true } })) names.set(id, name);
  const executions = await database.db.execution.findMany({ select: { id: true, name: true } });
  for (const { id, name } of executions) names.set(id, name);
  const nameOf = ({ kind, targetId }: WakeUp) => `${kind} ${names.get(targetId) ?? ''}`;
  return found.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

async function nextWakeAt(database: Database): Promise<number | null> {
  const [row] = await database.db.$queryRaw<{ wakeAt: number | null }[]>`
    SELECT extract(epoch FROM min("wakeAt"))::float8 AS "wakeAt"
      FROM (SELECT "wakeAt" FROM "Execution" WHERE "leaseExpiresAt" IS NULL
            UNION ALL SELECT "wakeAt" FROM "Site" WHERE "leaseExpiresAt" IS NULL
            UNION ALL SELECT "wakeAt" FROM "CoAllocation" WHERE "leaseExpiresAt" IS NULL
            UNION ALL SELECT "wakeAt" FROM "JobGroup" WHERE "leaseExpiresAt" IS NULL
            UNION ALL SELECT "wakeAt" FROM "BulkCancel" WHERE "leaseExpiresAt" IS NULL
            UNION ALL SELECT "wakeAt" FROM "Staging" WHERE "leaseExpiresAt" IS NULL) AS rows`;
  return row?.wakeAt ?? null;
}

function adapterFor(site: SimulatedSite, accountingLagSeconds: number): SiteAdapter {
  return {
    capabilities: { accounting: true, accountingLagSeconds },
    facts: async () => site.facts(),
    snapshot: async () => site.snapshot(),
    submit: async (spec, key) => site.submit(spec, key),
    find: async (key) => site.find(key),
    inspect: async (jobs) => {
      const found = site.inspect(jobs.map(({ nativeId }) => nativeId));
      return new Map(found.map((job) => [job.nativeId, job]));
    },
    cancel: async ({ nativeId, submittedAt }) => site.cancel(nativeId, submittedAt),
    begin: async ({ nativeId, submittedAt }) => site.begin(nativeId, submittedAt),
    history: async (since) => site.history(since),
    close: async () => undefined,
  };
}

function shuffle<Item>(items: readonly Item[], random: RandomStream): Item[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(random.uniform() * left.length), 1)[0] as Item);
}

async function fail(error: unknown): Promise<void> {
  throw error;
}

const SETTINGS: FlowSettings = {
  maxSkewSeconds: 300,
  leaseMilliseconds: 600_000,
  stepMilliseconds: 120_000,
  callMilliseconds: 60_000,
  observeIntervalSeconds: 120,
  historyIntervalSeconds: 600,
  recomputeIntervalSeconds: 600,
  staleAfterSeconds: 3600,
  retrySeconds: 30,
  refusalSeconds: 900,
  patienceSeconds: 86_400,
  retentionSeconds: 30 * 86_400,
  scriptRetentionSeconds: 90 * 86_400,
  forecastRetentionMonths: null,
  concurrency: 1,
  sweepMilliseconds: 1000,
  overdueSeconds: 0,
  staging: STAGING_SETTINGS,
};
