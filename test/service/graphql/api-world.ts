import { pino } from 'pino';
import { type CommandContext, DEFAULT_LIMITS, type Limits } from '../../../src/commands/carry-out/context.ts';
import type { AdapterRegistry } from '../../../src/domain/adapter-registry.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import type { JobRecord } from '../../../src/domain/job.ts';
import type { JobUse } from '../../../src/domain/job-use.ts';
import type { RunningJob, WaitingJob } from '../../../src/domain/snapshot.ts';
import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import type { Forecaster } from '../../../src/forecast/forecaster.ts';
import { type Api, type ApiOptions, startApi } from '../../../src/graphql/server.ts';
import { type NodeType, toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { ensurePrincipal, ensureTenant, type Principal } from '../../../src/store/principals.ts';
import { saveRecords } from '../../../src/store/records.ts';
import { createSite, saveSiteFacts, saveSnapshot } from '../../../src/store/sites.ts';
import { claimTurn } from '../../../src/store/turns.ts';
import { SteppedClock } from '../../stepped-clock.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { issueToken } from '../issue-token.ts';

/** Some quiet afternoon, 2026-05-28. */
export const NOW = 1_780_000_000;

export const HOUR = 3600;

/** A small job that both fresh sites can take. */
export const work = { name: 'protein', script: '#!/bin/sh\necho hello', processors: 4, walltimeSeconds: 1800 };

/** A moment as the API writes it. */
export function moment(at: number): string {
  return new Date(at * 1000).toISOString();
}

/** A well-formed id of nothing. */
export function unknownId(type: NodeType): string {
  return toGlobalId(type, '00000000-0000-7000-8000-000000000000');
}

/** A GraphQL answer as it came over HTTP. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly errors: any[] | undefined;
  readonly headers: Headers;
}

/** One API process over a real database with three sites, a forecaster, and callers of every role in two tenants. */
export interface ApiWorld {
  readonly stores: TestDatabase;
  readonly clock: SteppedClock;
  readonly forecaster: Forecaster;
  readonly commands: CommandContext;
  readonly principal: Principal;
  readonly api: Api;
  /** Everything that was logged, as objects. */
  readonly logged: Record<string, unknown>[];
  readonly tokens: Readonly<Record<'gateway' | 'workflow' | 'admin' | 'stranger', string>>;
  /** Global ids of the sites. */
  readonly sites: Readonly<Record<'quick' | 'slow' | 'stale', string>>;
  /** Starts one more API process over the same database. */
  startAnother(): Promise<Api>;
  ask(token: string | null, query: string, variables?: Record<string, unknown>, url?: string): Promise<Answer>;
  /** How many rows every table has that callers can change. */
  countRows(): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** An adapter registry with one adapter whose sites never answer: the API must never call them. */
const adapters: AdapterRegistry = {
  names: ['simulator'],
  check: (_name, configuration) =>
    typeof configuration === 'object' && configuration !== null && 'url' in configuration
      ? []
      : ['url: the address of the simulator is missing'],
  connect() {
    throw new Unavailable('the API never talks to a site');
  },
};

export async function createApiWorld(
  limits: Partial<Limits> = {},
  {
    predictor = 'wait/qbets',
    historyDays = 30,
    consoleFolder,
    connect = adapters.connect,
    isEmpty = false,
  }: {
    predictor?: string;
    historyDays?: number;
    consoleFolder?: string;
    connect?: AdapterRegistry['connect'];
    /** Whether there is no site; the ids of the sites are then of nothing. */
    isEmpty?: boolean;
  } = {},
): Promise<ApiWorld> {
  const stores = await createTestDatabase();
  const { database } = stores;
  const clock = new SteppedClock(NOW);
  const forecaster = createForecaster(
    {
      databaseUrl: stores.url,
      predictor,
      alsoScored: ['baseline/mean', 'baseline/user-last'],
      freshMilliseconds: 50,
    },
    (error) => {
      throw error;
    },
  );
  const logged: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => logged.push(JSON.parse(line)) });
  const options: ApiOptions = {
    host: '127.0.0.1',
    port: 0,
    database,
    clock,
    forecaster,
    adapters: { ...adapters, connect },
    limits: { ...DEFAULT_LIMITS, ...limits },
    logger,
    ...(consoleFolder !== undefined && { consoleFolder }),
  };
  const sites = isEmpty ? NO_SITES : await addSites(stores, historyDays);
  const physics = await ensureTenant(database.db, 'physics', NOW);
  const biology = await ensureTenant(database.db, 'biology', NOW);
  const workflow = await ensurePrincipal(database.db, physics, 'workflow', 'WORKFLOW');
  const tokens = {
    gateway: await tokenOf(stores, await ensurePrincipal(database.db, physics, 'gateway', 'GATEWAY')),
    workflow: await tokenOf(stores, workflow),
    admin: await tokenOf(stores, await ensurePrincipal(database.db, physics, 'admin', 'ADMIN')),
    stranger: await tokenOf(stores, await ensurePrincipal(database.db, biology, 'stranger', 'WORKFLOW')),
  };
  const apis = [await startApi(options)];
  const [api] = apis as [Api];
  const { host: _host, port: _port, logger: _logger, ...parts } = options;
  return {
    stores,
    clock,
    forecaster,
    commands: { ...parts, requestId: 'test' },
    principal: { id: workflow, tenantId: physics, tenantName: 'physics', name: 'workflow', role: 'WORKFLOW' },
    api,
    logged,
    tokens,
    sites,
    async startAnother() {
      const another = await startApi(options);
      apis.push(another);
      return another;
    },
    ask: (token, query, variables, url = api.url) => ask(url, token, { query, variables }),
    countRows: () => countRows(stores),
    async close() {
      for (const running of apis) await running.close();
      await forecaster.close();
      await stores.drop();
    },
  };
}

/** Sends one request as a browserless client would. */
export async function ask(url: string, token: string | null, body: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { data, errors } = (await response.json()) as { data: unknown; errors: unknown[] | undefined };
  return { status: response.status, data, errors, headers: response.headers };
}

async function tokenOf({ database }: TestDatabase, principalId: string): Promise<string> {
  return issueToken(database.db, principalId, NOW, null);
}

const NO_SITES = { quick: unknownId('Site'), slow: unknownId('Site'), stale: unknownId('Site') };

async function addSites(stores: TestDatabase, historyDays: number): Promise<ApiWorld['sites']> {
  return {
    quick: await addSite(stores, 'quick', 64, { historyDays, waitSeconds: 300, observedAt: NOW - 30 }),
    slow: await addSite(stores, 'slow', 256, { historyDays, waitSeconds: 7200, observedAt: NOW - 30 }),
    stale: await addSite(stores, 'stale', 64, { historyDays, waitSeconds: 300, observedAt: NOW - 2 * HOUR }),
  };
}

/** A site with a history of jobs whose waits are spread around the usual one; its global id. */
export async function addSite(
  { database }: TestDatabase,
  name: string,
  processors: number,
  {
    waitSeconds,
    observedAt,
    waiting = [],
    running = [],
    historyDays = 30,
    useOf = () => undefined,
  }: {
    waitSeconds: number;
    observedAt: number;
    waiting?: readonly WaitingJob[];
    running?: readonly RunningJob[];
    historyDays?: number;
    /** What a job of its history used; nothing unless told. */
    useOf?: (record: JobRecord) => JobUse | undefined;
  },
): Promise<string> {
  const { id } = await createSite(database.db, { name, adapter: 'simulator', configuration: {}, now: NOW - 86_400 });
  const queue = { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 };
  const debug = { name: 'debug', isDefault: false, maxProcessors: 8, maxWalltimeSeconds: 1800 };
  await saveSiteFacts(database.db, id, { processors, queues: [queue, debug] }, NOW);
  const records = history(waitSeconds, historyDays).map((record) => ({ ...record, use: useOf(record) }));
  await saveRecords(database.db, id, records);
  const turn = await claimTurn(database.db, 'Site', id, { milliseconds: 1, holder: null });
  if (!turn) throw new Error('the site is new');
  const snapshot = { observedAt, processors, freeProcessors: processors / 2, waiting, running };
  await saveSnapshot(database.db, turn, snapshot);
  return toGlobalId('Site', id);
}

/** Some days of jobs whose waits are spread evenly between half and one and a half of the usual one. */
function history(usualWaitSeconds: number, days: number): JobRecord[] {
  return Array.from({ length: 800 }, (_, index) => {
    const submitAt = NOW - days * 86_400 + (index * 3200 * days) / 30;
    const startAt = submitAt + Math.round(usualWaitSeconds * (0.5 + ((index * 37) % 101) / 101));
    return {
      nativeId: String(index),
      user: `user${index % 7}`,
      queue: 'batch',
      processors: 1 + (index % 16),
      requestedWalltimeSeconds: 3600,
      submitAt,
      startAt,
      endAt: startAt + 1800,
      outcome: 'COMPLETED',
    };
  });
}

async function countRows({ database: { db } }: TestDatabase): Promise<Record<string, number>> {
  const [execution, reservation, coAllocation, plan, forecast, outbox, site, record, idempotencyKey] =
    await Promise.all([
      db.execution.count(),
      db.reservation.count(),
      db.coAllocation.count(),
      db.plan.count(),
      db.forecast.count(),
      db.outbox.count(),
      db.site.count(),
      db.record.count(),
      db.idempotencyKey.count(),
    ]);
  return { execution, reservation, coAllocation, plan, forecast, outbox, site, record, idempotencyKey };
}
