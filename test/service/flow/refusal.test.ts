import { afterEach, expect, test } from 'vitest';
import { dryRunPlan } from '../../../src/commands/dry-run-plan.ts';
import { reserve } from '../../../src/commands/reserve.ts';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { FlowContext } from '../../../src/flow/context.ts';
import type { ExecutionRow } from '../../../src/store/executions.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { findReservation } from '../../../src/store/reservations.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';
import { CLEAN, judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const ACCOUNT = 'Invalid account or account/partition combination specified';
const DOWN = 'Required partition not available (inactive or drain)';
const TOO_LONG = 'Requested time limit is invalid (missing or exceeds some limit)';
const FULL = 'QOSMaxSubmitJobPerUserLimit';
const BAD_SCRIPT = 'This does not look like a batch script';
const work = { ...WORK, siteIds: [] as string[] };

/** Idle sites with the names given, which a job starts at the second it is submitted. */
const idleSites = (...names: readonly string[]) => createIdleWorld(40, ...names);

/** A worker to whom some sites refuse every submission, as long as they do; with how often they were asked. */
function workerRefusedBy(says: (site: string) => string | null): { worker: FlowContext; asked: Map<string, number> } {
  const asked = new Map<string, number>();
  const worker = world.worker({
    adapter: (adapter, name) => ({
      ...adapter,
      async submit(spec, key) {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        const words = says(name);
        if (words !== null) throw new Rejected(`refused: ${words}`, words);
        return adapter.submit(spec, key);
      },
    }),
  });
  return { worker, asked };
}

async function submit(name: string, changes: Partial<typeof work> = {}): Promise<string> {
  const { executionId } = await submitJob(world.commands, world.principal, {
    ...work,
    ...changes,
    name,
    deadlineAt: null,
  });
  return executionId;
}

async function settled(ids: readonly string[], worker: FlowContext): Promise<ExecutionRow[]> {
  const rows = async () => (await Promise.all(ids.map((id) => findExecution(world.database.db, id)))) as ExecutionRow[];
  await world.until('all are settled', async () => (await rows()).every(({ settledAt }) => settledAt !== null), worker);
  return rows();
}

async function planFor(changes: Partial<typeof work> = {}) {
  const { processors, walltimeSeconds, queue, siteIds } = { ...work, ...changes };
  const input = { processors, walltimeSeconds, queue, siteIds, deadlineAt: null };
  const { plan } = await dryRunPlan(world.commands, world.principal, input);
  return new Map(plan.candidates.toReversed().map((candidate) => [candidate.siteName, candidate]));
}

test('eight jobs that one site refuses for its account all run at the others, and it is asked once', async () => {
  world = await idleSites('east', 'west', 'third');
  // Whoever was planned first is the one that refuses, so that every job goes there at first.
  const first = [...(await planFor()).values()].find(({ lostBecause }) => lostBecause === null)?.siteName ?? '';
  const { worker, asked } = workerRefusedBy((site) => (site === first ? ACCOUNT : null));
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) ids.push(await submit(`job-${n}`));
  const ended = await settled(ids, worker);
  expect(ended.map(({ outcome }) => outcome)).toEqual(Array(8).fill('COMPLETED'));
  expect(ended.every(({ siteId }) => siteId !== world.siteIds.get(first))).toBe(true);
  // One turn at a time: the first one was refused, the others never asked.
  expect(asked.get(first)).toBe(1);
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('of several queues that are named, one that its site refuses is left for another, and the plan says why', async () => {
  world = await idleSites('east', 'west');
  const sites = [...world.siteIds.values()].map((siteId) => ({ siteId, queue: 'batch' }));
  const input = { processors: 4, walltimeSeconds: 1800, queue: null, sites, siteIds: [], deadlineAt: null };
  const first = (await dryRunPlan(world.commands, world.principal, input)).plan.chosen;
  const { worker, asked } = workerRefusedBy((site) => (site === first?.siteName ? ACCOUNT : null));
  const { executionId } = await submitJob(world.commands, world.principal, {
    ...work,
    sites,
    name: 'job',
    deadlineAt: null,
  });
  const [ended] = await settled([executionId], worker);
  expect(ended).toMatchObject({ outcome: 'COMPLETED', siteQueue: 'batch' });
  expect(ended?.siteId).not.toBe(first?.siteId);
  expect(asked.get(first?.siteName ?? '')).toBe(1);
  const [plan] = await findNewestPlans(world.database.db, [executionId]);
  const told = new Map(plan?.candidates.map((candidate) => [candidate.siteId, candidate]));
  expect([...told.values()].map(({ queue }) => queue)).toEqual(['batch', 'batch']);
  expect(told.get(first?.siteId ?? '')).toMatchObject({
    lostBecause: 'REFUSED',
    explanation: expect.stringContaining(ACCOUNT),
  });
});

test('what a site refuses is told by plan with the words and until when, and offered again after that', async () => {
  world = await idleSites('east', 'west');
  const { worker } = workerRefusedBy((site) => (site === 'east' ? ACCOUNT : null));
  const east = [world.siteIds.get('east') ?? ''];
  const [rejected] = await settled([await submit('alone', { siteIds: east })], worker);
  expect(rejected).toMatchObject({ outcome: 'REJECTED', reason: expect.stringContaining(ACCOUNT) });

  const until = new Date(((rejected?.endedAt ?? 0) + 900) * 1000).toISOString().slice(0, 19);
  const candidate = (await planFor()).get('east');
  expect(candidate).toMatchObject({ lostBecause: 'QUEUE_FORBIDDEN', explanation: expect.stringContaining(ACCOUNT) });
  expect(candidate?.explanation).toContain(until);
  const again = submit('again', { siteIds: east });
  await expect(again).rejects.toMatchObject({ code: 'NO_ELIGIBLE_SITE', message: expect.stringContaining(until) });
  const startAt = Math.round(world.clock.now() + 7200);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.5, ifMissed: 'CANCEL' } as const;
  const promise = { ...work, ...terms, siteIds: east, name: 'promise', maxPaddingProcessorSeconds: null };
  await expect(reserve(world.commands, world.principal, promise)).rejects.toMatchObject({ code: 'NO_ELIGIBLE_SITE' });
  // A neighbour of another tenant is not shut out.
  const neighbour = await world.database.db.tenant.create({ data: { name: 'neighbour', createdAt: new Date() } });
  const { plan } = await dryRunPlan(
    world.commands,
    { ...world.principal, tenantId: neighbour.id },
    { processors: 4, walltimeSeconds: 1800, queue: null, siteIds: east, deadlineAt: null },
  );
  expect(plan.chosen?.siteName).toBe('east');

  const isOver = async () => world.clock.now() > (rejected?.endedAt ?? 0) + 900;
  await world.until('the refusal has passed', isOver, worker);
  expect((await planFor({ siteIds: east })).get('east')?.lostBecause).toBeNull();
});

test('a size that a site refuses shuts out jobs of at least that size only, a bad script nobody but itself', async () => {
  world = await idleSites('east');
  let says: string | null = TOO_LONG;
  const { worker } = workerRefusedBy(() => says);
  await settled([await submit('large', { processors: 8, walltimeSeconds: 7200 })], worker);
  expect((await planFor({ processors: 8, walltimeSeconds: 7200 })).get('east')?.lostBecause).toBe('REFUSED');
  expect((await planFor({ processors: 16, walltimeSeconds: 9000 })).get('east')?.lostBecause).toBe('REFUSED');
  expect((await planFor({ processors: 8, walltimeSeconds: 3600 })).get('east')?.lostBecause).toBeNull();
  expect((await planFor({ processors: 4, walltimeSeconds: 7200 })).get('east')?.lostBecause).toBeNull();

  says = BAD_SCRIPT;
  const [bad] = await settled([await submit('bad')], worker);
  expect(bad).toMatchObject({ outcome: 'REJECTED', reason: expect.stringContaining(BAD_SCRIPT) });
  expect((await planFor()).get('east')?.lostBecause).toBeNull();

  says = null;
  await settled([await submit('good')], worker);
});

test('an accepted submission clears what it disproves', async () => {
  world = await idleSites('east', 'west');
  const east = [world.siteIds.get('east') ?? ''];
  let says: string | null = null;
  const { worker } = workerRefusedBy((site) => (site === 'east' ? says : null));
  // The promise has no other site to go to: it tries its own when it is due, and so finds the tenant let in again.
  const startAt = Math.round(world.clock.now() + 3600);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.5, ifMissed: 'CANCEL' } as const;
  const rest = { siteIds: east, name: 'promise', maxPaddingProcessorSeconds: null };
  const { reservationId } = await reserve(world.commands, world.principal, { ...work, ...terms, ...rest });
  says = ACCOUNT;
  await settled([await submit('refused', { siteIds: east })], worker);
  says = null;
  const isSubmitted = async () => (await findReservation(world.database.db, reservationId))?.state !== 'PROMISED';
  await world.until('the promise is submitted', isSubmitted, worker);
  expect((await planFor()).get('east')?.lostBecause).not.toBe('QUEUE_FORBIDDEN');
});

test.each([
  ['a queue that is down', 'QUEUE_DOWN', DOWN],
  ['a limit on the number of jobs', 'JOB_LIMIT', FULL],
])('%s moves jobs on, and keeps those waiting that no other site takes', async (_, reason, words) => {
  world = await idleSites('east', 'west');
  const { siteIds } = world;
  let says: string | null = words;
  const { worker, asked } = workerRefusedBy((site) => (site === 'east' ? says : null));
  const pinned = await submit('pinned', { siteIds: [siteIds.get('east') ?? ''] });
  const isTold = async () => (await findExecution(world.database.db, pinned))?.reason?.includes(words) ?? false;
  await world.until('it is told why it waits', isTold, worker);
  expect(await findExecution(world.database.db, pinned)).toMatchObject({ state: 'REQUESTED' });
  expect((await planFor()).get('east')?.lostBecause).toBe(reason);
  const [movable] = await settled([await submit('movable')], worker);
  expect(movable).toMatchObject({ outcome: 'COMPLETED', siteId: siteIds.get('west') });
  says = null;
  const [waited] = await settled([pinned], worker);
  expect(waited).toMatchObject({ outcome: 'COMPLETED', siteId: siteIds.get('east') });
  expect(asked.get('east')).toBeLessThan(6);
});

test('a promise that its site refuses is kept at another one, and is not missed before its time', async () => {
  world = await idleSites('east', 'west');
  const startAt = Math.round(world.clock.now() + 2 * 3600);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.6, ifMissed: 'CANCEL' } as const;
  const wish = { ...work, ...terms, maxPaddingProcessorSeconds: null };
  const made = await reserve(world.commands, world.principal, { ...wish, name: 'movable' });
  const promised = await findReservation(world.database.db, made.reservationId);
  const before = await findExecution(world.database.db, promised?.executionId ?? '');
  const first = before?.siteId === world.siteIds.get('east') ? 'east' : 'west';
  const pinnedTo = [before?.siteId ?? ''];
  const pinned = await reserve(world.commands, world.principal, { ...wish, name: 'pinned', siteIds: pinnedTo });

  const { worker, asked } = workerRefusedBy((site) => (site === first ? ACCOUNT : null));
  const ids = await Promise.all(
    [made, pinned].map(async ({ reservationId }) => {
      return (await findReservation(world.database.db, reservationId))?.executionId ?? '';
    }),
  );
  const [moved, stayed] = await settled(ids, worker);
  expect(await findReservation(world.database.db, made.reservationId)).toMatchObject({ state: 'KEPT' });
  expect(moved?.siteId).not.toBe(before?.siteId);
  const missed = await findReservation(world.database.db, pinned.reservationId);
  expect(missed).toMatchObject({ state: 'MISSED' });
  expect(missed?.decidedAt ?? 0).toBeGreaterThanOrEqual(startAt);
  expect(stayed).toMatchObject({ outcome: 'REJECTED', reason: expect.stringContaining(ACCOUNT) });
  expect(asked.get(first) ?? 0).toBeLessThan(12);
  expect(await judge(world)).toMatchObject(CLEAN);
});

test('promises wait for nothing at a site that has come to refuse them: they go elsewhere before they are due', async () => {
  world = await idleSites('east', 'west');
  const startAt = Math.round(world.clock.now() + 800);
  const terms = { startAt, windowOpensAt: null, mode: 'HOLD', probability: 0.6, ifMissed: 'CANCEL' } as const;
  const wish = { ...work, ...terms, maxPaddingProcessorSeconds: null };
  const executionOf = async ({ reservationId }: { reservationId: string }) => {
    const promise = await findReservation(world.database.db, reservationId);
    return (await findExecution(world.database.db, promise?.executionId ?? '')) as ExecutionRow;
  };
  const movable = await reserve(world.commands, world.principal, { ...wish, name: 'movable' });
  const before = await executionOf(movable);
  const siteIds = [before.siteId ?? ''];
  const pinned = await reserve(world.commands, world.principal, { ...wish, name: 'pinned', siteIds });

  const { worker } = workerRefusedBy((site) => (world.siteIds.get(site) === before.siteId ? ACCOUNT : null));
  await settled([await submit('refused', { siteIds })], worker);
  const isMoved = async () => (await executionOf(movable)).siteId !== before.siteId;
  await world.until('the promise has moved', isMoved, worker);
  expect(world.clock.now()).toBeLessThan((before.submitAt ?? 0) - 60);
  expect(await executionOf(movable)).toMatchObject({ state: 'HELD', reason: expect.stringContaining(ACCOUNT) });
  // One that nobody else promises stays: it may be let in again until it is due.
  expect(await executionOf(pinned)).toMatchObject({ state: 'HELD', siteId: before.siteId });
});

test('what a job names itself is refused to it alone, after one try; its neighbours go on', async () => {
  world = await idleSites('east');
  const words = [
    ['Invalid qos specification', { terms: { qos: 'nosuch' } }],
    ['QOSMaxMemoryPerJob; Job violates accounting/QOS policy (job submit limit, user’s size and/or time limits)', {}],
  ] as const;
  for (const [index, [siteSays, asks]] of words.entries()) {
    let refused = 0;
    const worker = world.worker({
      adapter: (adapter) => ({
        ...adapter,
        capabilities: { ...adapter.capabilities, honours: ['qos'] },
        async submit(spec, key) {
          if (spec.processors !== 3) return adapter.submit(spec, key);
          refused++;
          throw new Rejected(`refused: ${siteSays}`, siteSays);
        },
      }),
    });
    await world.database.db.site.updateMany({ data: { honours: ['qos'] } });
    const odd = await submit(`odd-${index}`, { processors: 3, ...asks });
    const plain = [await submit(`plain-${index}`), await submit(`as large-${index}`, { processors: 16 })];
    const [oddly, ...rest] = await settled([odd, ...plain], worker);
    expect(oddly).toMatchObject({ outcome: 'REJECTED', reason: expect.stringContaining('has refused this job') });
    expect(rest.map(({ outcome }) => outcome)).toEqual(['COMPLETED', 'COMPLETED']);
    expect(refused).toBe(1);
    expect(await world.database.db.refusal.count()).toBe(0);
  }
});
