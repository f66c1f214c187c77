import { afterEach, expect, test } from 'vitest';
import { cancelJob } from '../../../src/commands/cancel-job.ts';
import { dryRunPlan } from '../../../src/commands/dry-run-plan.ts';
import { forecastJob } from '../../../src/commands/forecast-job.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { setSiteDefaults } from '../../../src/commands/set-site-defaults.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Unavailable } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { recomputeHeld } from '../../../src/flow/recompute.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { listIdentityChecks } from '../../../src/store/identities.ts';
import { ensurePrincipal, ensureTenant, type Principal } from '../../../src/store/principals.ts';
import { saveSiteDefaults } from '../../../src/store/site-defaults.ts';
import { findNewestSubmission } from '../../../src/store/submissions.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK, wish } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const CONFIGURATION = {
  identity: 'PER_TENANT',
  identities: { physics: { user: 'alice' }, biology: { user: 'bob' } },
};

/** A site where every tenant has an account of its own, and who was asked as whom. */
async function perTenantWorld() {
  world = await createIdleWorld(70, 'east');
  const { db } = world.database;
  await db.site.updateMany({ data: { configuration: CONFIGURATION } });
  const asked: { tenant: string | undefined; verb: string }[] = [];
  const locked = new Set<string>();
  const worker = world.worker({
    adapter: (adapter, _site, tenant) =>
      new Proxy(adapter, {
        get(target, verb: keyof SiteAdapter) {
          const own = target[verb];
          if (typeof own !== 'function') return own;
          return async (...words: never[]) => {
            asked.push({ tenant, verb });
            const denied = 'Permission denied (publickey)';
            if (locked.has(tenant ?? '')) throw new Unavailable(denied, denied, { code: 'AUTHENTICATION' });
            return (own as (...all: never[]) => unknown).apply(target, words);
          };
        },
      }),
  });
  return { asked, locked, worker, db };
}

/** Whether it waits for the moment of its submission and has nothing to do before. */
const isWaiting = (row: ExecutionRow | null) => (row?.submitAt ?? null) !== null && row?.submitAt === row?.wakeAt;

/** Forecasters that note as which users jobs come to sites in the questions they are asked. */
function noting<Forecaster extends object>(forecaster: Forecaster, users: Map<string, unknown[]>): Forecaster {
  const usersIn = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [];
    return 'user' in value ? [value.user] : Object.values(value).flatMap(usersIn);
  };
  return new Proxy(forecaster, {
    get(target, name) {
      const own = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...asked: unknown[]) => {
        users.set(String(name), [...(users.get(String(name)) ?? []), ...usersIn(asked)]);
        return own.apply(target, asked);
      };
    },
  });
}

test('a promise is asked about as the user whose job it is, when it is made and when it is looked at again', async () => {
  const { worker, db } = await perTenantWorld();
  const users = new Map<string, unknown[]>();
  const { clock, commands, principal, settings } = world;
  const asking = { ...commands, forecaster: noting(commands.forecaster, users) };
  const { reservationId } = await reserve(asking, principal, wish(clock, 'promised', []));
  const { executionId: id } = await db.reservation.findUniqueOrThrow({ where: { id: reservationId } });
  await world.until('it waits', async () => isWaiting(await rowOf(id)), worker);
  clock.advanceTo(clock.now() + settings.recomputeIntervalSeconds + 1);
  const looking = { ...worker, forecaster: noting(worker.forecaster, users) };
  expect(await recomputeHeld(looking, 10)).toBe(1);
  await forecastJob(asking, (await rowOf(id)) as ExecutionRow, null);
  expect(Object.fromEntries(users)).toMatchObject({
    offerReservation: ['alice'],
    replanReservations: ['alice'],
    forecastOthers: ['alice'],
  });
});

async function member(tenantName: string): Promise<Principal> {
  const { db } = world.database;
  const tenantId = await ensureTenant(db, tenantName, world.clock.now());
  const id = await ensurePrincipal(db, tenantId, 'somebody', 'ADMIN');
  return { id, tenantId, tenantName, name: 'somebody', role: 'ADMIN' };
}

async function submit(principal: Principal, name: string, deadlineAt: number | null = null): Promise<string> {
  const input = { ...WORK, siteIds: [], deadlineAt, name };
  return (await submitJob(world.commands, principal, input)).executionId;
}

const rowOf = (id: string) => findExecution(world.database.db, id);

test('each tenant is handled by its own account; one that fails keeps nobody else waiting and works again once it is mended', async () => {
  const { asked, locked, worker, db } = await perTenantWorld();
  const [physics, biology] = [world.principal, await member('biology')];
  locked.add('physics');
  const [theirs, ours] = [await submit(biology, 'of-biology'), await submit(physics, 'of-physics')];
  await world.until('biology has its job', async () => (await rowOf(theirs))?.settledAt !== null, worker);
  expect(await rowOf(theirs)).toMatchObject({ outcome: 'COMPLETED' });
  expect(await findNewestSubmission(db, theirs)).toMatchObject({ user: 'bob', state: 'ACCEPTED' });
  expect((await rowOf(ours))?.state).not.toBe('ENDED');
  const siteId = world.siteIds.get('east') ?? '';
  const faults = Object.fromEntries((await listIdentityChecks(db, [siteId])).map((row) => [row.tenant, row.fault]));
  expect(faults).toEqual({ biology: null, physics: 'AUTHENTICATION' });
  const wholeSite = asked.filter(({ verb }) => ['snapshot', 'facts', 'history'].includes(verb));
  expect(new Set(wholeSite.map(({ tenant }) => tenant))).toEqual(new Set([undefined]));
  const ofJobs = asked.filter(({ verb }) => ['submit', 'inspect', 'cancel'].includes(verb));
  expect(ofJobs.some(({ tenant }) => tenant === undefined)).toBe(false);
  const { plan } = await dryRunPlan(world.commands, physics, { ...WORK, siteIds: [], deadlineAt: null });
  expect(plan.candidates[0]).toMatchObject({ lostBecause: 'IDENTITY_FAULT' });
  expect(plan.candidates[0]?.explanation).toContain('AUTHENTICATION');
  locked.clear();
  await world.until('physics has its job', async () => (await rowOf(ours))?.settledAt !== null, worker);
  expect(await rowOf(ours)).toMatchObject({ outcome: 'COMPLETED' });
  expect(await findNewestSubmission(db, ours)).toMatchObject({ user: 'alice' });
});

test('nobody is told to be late whose account could not look for the job', async () => {
  const { locked, worker } = await perTenantWorld();
  // It runs for 900 s of them.
  const deadlineAt = world.clock.now() + 2400;
  const id = await submit(world.principal, 'in-time', deadlineAt);
  await world.until('it runs', async () => (await rowOf(id))?.state === 'RUNNING', worker);
  locked.add('physics');
  await world.until('the deadline has passed', async () => world.clock.now() > deadlineAt + 400, worker);
  expect(await rowOf(id)).toMatchObject({ state: 'RUNNING', deadlineMissedAt: null });
  locked.clear();
  await world.until('it is settled', async () => (await rowOf(id))?.settledAt !== null, worker);
  expect(await rowOf(id)).toMatchObject({ outcome: 'COMPLETED', deadlineMissedAt: null });
});

test('a tenant without an account finds no site, and is told why', async () => {
  await perTenantWorld();
  const stranger = await member('chemistry');
  const { plan } = await dryRunPlan(world.commands, stranger, { ...WORK, siteIds: [], deadlineAt: null });
  expect(plan.candidates[0]).toMatchObject({ lostBecause: 'NO_IDENTITY', forecast: null });
  await expect(submit(stranger, 'nowhere')).rejects.toMatchObject({
    code: 'NO_ELIGIBLE_SITE',
    message: expect.stringContaining('east has no account for this tenant'),
  });
});

test("a job is cancelled by its tenant's account, and every account is looked at", async () => {
  const { asked, worker, db } = await perTenantWorld();
  const id = await submit(world.principal, 'cancelled');
  await world.until('it runs', async () => (await rowOf(id))?.state === 'RUNNING', worker);
  await cancelJob(world.commands, world.principal, { id, idempotencyKey: null });
  await world.until('it is gone', async () => (await rowOf(id))?.settledAt !== null, worker);
  expect(await rowOf(id)).toMatchObject({ outcome: 'CANCELLED' });
  const cancels = asked.filter(({ verb }) => verb === 'cancel').map(({ tenant }) => tenant);
  expect(new Set(cancels)).toEqual(new Set(['physics']));
  expect((await listIdentityChecks(db, [...world.siteIds.values()])).length).toBe(2);
});

test('defaults hold in the order job, tenant at the site, site, and a queue among them decides the plan', async () => {
  world = await createIdleWorld(71, 'east');
  const { db } = world.database;
  const siteId = world.siteIds.get('east') ?? '';
  await db.site.updateMany({ data: { honours: ['account', 'qos'] } });
  const set = (tenant: string | null, defaults: object) =>
    setSiteDefaults(world.commands, world.principal, { siteId, tenant, defaults, idempotencyKey: null });
  await set(null, { account: 'everybody', qos: 'low' });
  await set('physics', { account: 'physics' });
  const specs: unknown[] = [];
  const worker = world.worker({
    adapter: (adapter) => ({
      ...adapter,
      capabilities: { ...adapter.capabilities, honours: ['account', 'qos'] },
      submit(spec, key) {
        specs.push({ name: spec.name, tenant: spec.tenant, ...spec.terms });
        return adapter.submit({ ...spec, terms: undefined }, key);
      },
    }),
  });
  const stranger = await member('biology');
  const own = { ...WORK, siteIds: [], deadlineAt: null, name: 'own', terms: { qos: 'high' } };
  const special = { ...own, name: 'special', sites: [{ siteId, account: 'grant' }] };
  const ids = [await submit(world.principal, 'usual'), await submit(stranger, 'strange')];
  for (const input of [own, special]) ids.push((await submitJob(world.commands, world.principal, input)).executionId);
  await world.until(
    'all are settled',
    async () => (await Promise.all(ids.map(rowOf))).every((row) => row?.settledAt),
    worker,
  );
  expect(specs.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
    { name: 'own', tenant: 'physics', account: 'physics', qos: 'high' },
    { name: 'special', tenant: 'physics', account: 'grant', qos: 'high' },
    { name: 'strange', tenant: 'biology', account: 'everybody', qos: 'low' },
    { name: 'usual', tenant: 'physics', account: 'physics', qos: 'low' },
  ]);
  await expect(set('physics', { siteReservation: 'course' })).rejects.toMatchObject({ code: 'INVALID' });
  await expect(set('nobody', { account: 'a' })).rejects.toMatchObject({ field: 'input.tenant' });
  await expect(set(null, { queue: 'no-such-queue' })).rejects.toMatchObject({ field: 'input.queue' });
  // As after the site has taken it away.
  await saveSiteDefaults(db, { siteId, tenant: null, defaults: { queue: 'no-such-queue' } });
  const { plan } = await dryRunPlan(world.commands, stranger, { ...WORK, siteIds: [], deadlineAt: null });
  expect(plan.candidates[0]).toMatchObject({ lostBecause: 'UNKNOWN_QUEUE' });
});
