import { pino } from 'pino';
import { DEFAULT_LIMITS } from '../../../src/commands/carry-out/context.ts';
import { advance } from '../../../src/flow/advance.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import type { Forecaster } from '../../../src/forecast/forecaster.ts';
import { startApi } from '../../../src/graphql/server.ts';
import { fromGlobalId, toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import type { ExecutionRow } from '../../../src/store/executions.ts';
import { forecastOf } from '../../unit/plan/forecast-fixture.ts';
import { ask } from '../graphql/api-world.ts';
import { issueToken } from '../issue-token.ts';
import { executionOf } from './rows.ts';
import { createSteppedWorld, type SteppedWorld, type Wrap } from './stepped-world.ts';

/** What is forecast of every job in the world; real forecasters have hardly ever anything to gain from a delay. */
export interface Told {
  /** Seconds until the running jobs suggest to submit; null for never. */
  laterInSeconds: number | null;
  atOnceSeconds: number;
  laterSeconds: number;
  /** Until when, in seconds from the beginning, the site's IO is in a burst; null where nothing is told of bytes. */
  burstUntilSeconds?: number | null;
  /** What the job itself writes. */
  writtenBytes?: number;
}

/** A stepped world with an API over it, whose jobs have to wait for long unless they are submitted later. */
export interface HeldBackWorld {
  readonly world: SteppedWorld;
  readonly told: Told;
  worker(wrap?: Partial<Wrap>): FlowContext;
  /** Sends a document to the API as somebody; alice unless told. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  request(query: string, variables: object, as?: 'alice' | 'gateway' | 'stranger'): Promise<any>;
  /** Submits a job over the API and, unless told otherwise, has it planned at once; its id in the tables. */
  submit(name: string, input?: object, isPlanned?: boolean): Promise<string>;
  /** Moves the clock with nothing else happening. */
  pass(seconds: number): void;
  /** Gives a row the turn that it wants by now. */
  turn(id: string): Promise<void>;
  row(id: string): Promise<ExecutionRow>;
  /** When the site accepted each job, by name. */
  acceptedAt(): Map<string, number>;
  close(): Promise<void>;
}

export const SUBMIT = `mutation($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id state maxDelaySeconds } userErrors { code field message } }
}`;
const WORK = { script: '#!/bin/sh\nsleep 300\n', processors: 2, walltimeSeconds: 600 };

export async function createHeldBackWorld(seed: number): Promise<HeldBackWorld> {
  const workload = { generated: { seed: 40 + seed, load: 0.02 } };
  const site = { name: 'east', processors: 64, policy: 'easy' as const, workload, warmDays: 10 };
  const world = await createSteppedWorld({ seed, sites: [site] });
  const told: Told = {
    laterInSeconds: 1800,
    atOnceSeconds: 36_000,
    laterSeconds: 60,
    burstUntilSeconds: null,
    writtenBytes: 1e12,
  };
  const forecaster = tellingForecaster(world.commands.forecaster, told, world.clock.now());
  const { adapters } = world.commands;
  const { database, clock } = world;
  const logger = pino({ level: 'fatal' });
  const api = await startApi({
    ...{ host: '127.0.0.1', port: 0, database, clock, forecaster, adapters, logger },
    limits: { ...DEFAULT_LIMITS, staleAfterSeconds: world.settings.staleAfterSeconds },
  });
  const tokens = await tokensOf(world);
  const here: HeldBackWorld = {
    world,
    told,
    worker: (wrap) => ({ ...world.worker(wrap), forecaster }),
    async request(query, variables, as = 'alice') {
      const { data, errors } = await ask(api.url, tokens[as], { query, variables });
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
    async submit(name, input = {}, isPlanned = true) {
      const given = { ...WORK, name, maxDelaySeconds: 7200, ...input };
      const { submitJob } = await here.request(SUBMIT, { input: given });
      if (submitJob.userErrors.length > 0) throw new Error(JSON.stringify(submitJob.userErrors));
      const id = fromGlobalId(submitJob.job.id)?.id ?? '';
      if (isPlanned) await here.turn(id);
      return id;
    },
    pass(seconds) {
      clock.advanceTo(clock.now() + seconds);
    },
    async turn(id) {
      await advance(here.worker(), { kind: 'EXECUTION', targetId: id, wakeAt: clock.now(), requestId: null });
    },
    async row(id) {
      const row = await executionOf(world, id);
      if (!row) throw new Error(`no execution ${id}`);
      return row;
    },
    acceptedAt() {
      return new Map(
        world.journal('east').flatMap((entry) => (entry.kind === 'submit' ? [[entry.name, entry.at]] : [])),
      );
    },
    async close() {
      await api.close();
      await world.close();
    },
  };
  return here;
}

/** The global id of a row's job. */
export function jobId(id: string): string {
  return toGlobalId('Job', id);
}

/** A forecaster that says of every job what it is told. */
export function tellingForecaster(plain: Forecaster, told: Told, startedAt = 0): Forecaster {
  const waitOf = (seconds: number) => forecastOf(() => seconds);
  const telling: Forecaster = {
    ...plain,
    askedBy: () => telling,
    async forecastWaits(_siteId, queries) {
      return queries.map(() => waitOf(told.atOnceSeconds));
    },
    async forecastOthers(siteId, quantity, jobs) {
      const said = await plain.forecastOthers(siteId, quantity, jobs);
      if (quantity !== 'written-bytes') return said;
      return said.map((one) => ({ ...one, sampleSize: 50, point: told.writtenBytes ?? 0 }));
    },
    async forecastIo(_siteId, { now, aheadSeconds }) {
      const { burstUntilSeconds = null } = told;
      if (burstUntilSeconds === null) return null;
      const slots = Array.from({ length: aheadSeconds / 300 }, (_, slot) => {
        const startsAt = now + 300 * slot;
        const writtenBytesPerSecond = startsAt < startedAt + burstUntilSeconds ? 2e9 : 0;
        return { startsAt, readBytesPerSecond: 0, writtenBytesPerSecond };
      });
      const said = { madeAt: now, observedAt: now, slotSeconds: 300, jobs: 1, jobsLeftOut: 0 };
      return { ...said, burstBytesPerSecond: 1e9, slots };
    },
    async forecastDelay(_siteId, { jobs, now, laterAt, latestAt }) {
      const suggestedAt = told.laterInSeconds === null ? null : now + told.laterInSeconds;
      const at = laterAt ?? suggestedAt;
      if (at === null || at <= now || at > latestAt) return null;
      return {
        laterAt: at,
        waits: jobs.map(() => ({ atOnce: waitOf(told.atOnceSeconds), later: waitOf(told.laterSeconds) })),
      };
    },
  };
  return telling;
}

async function tokensOf({ database: { db }, principal, clock }: SteppedWorld) {
  const other = await db.tenant.create({ data: { name: 'biology', createdAt: new Date() } });
  const newcomer = (tenantId: string, name: string) =>
    db.principal.create({ data: { tenantId, name, role: 'GATEWAY' } }).then(({ id }) => id);
  const tokenOf = (id: string) => issueToken(db, id, clock.now(), null);
  return {
    alice: await tokenOf(principal.id),
    gateway: await tokenOf(await newcomer(principal.tenantId, 'gateway')),
    stranger: await tokenOf(await newcomer(other.id, 'stranger')),
  };
}
