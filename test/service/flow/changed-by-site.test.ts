import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { RunningJob } from '../../../src/domain/snapshot.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { type ApiWorld, createApiWorld, work } from '../graphql/api-world.ts';
import { stepsOver, tellSite } from './told-site.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

const queue = (name: string) => {
  return { name, isDefault: name === 'batch', maxProcessors: null, maxWalltimeSeconds: null };
};

interface JobTold {
  readonly queue: string;
  readonly submittedWalltimeSeconds: number;
  readonly expectedEndAt: string | null;
  readonly siteReason: string | null;
  readonly sitePriority: number | null;
}

/** A job that is at a site which tells of it what it is told to tell; returns what the API then tells of it. */
async function jobAtSite(name: string, startedAt: number | null) {
  const steps = stepsOver(world);
  const now = world.clock.now();
  const listing = () => {
    return { observedAt: world.clock.now(), processors: 64, freeProcessors: 60, waiting: [], running: [] };
  };
  const facts = { processors: 64, queues: [queue('batch'), queue('long')] };
  const site = await tellSite({ facts, snapshot: listing(), history: { records: [], nextSince: now } });
  onTestFinished(() => site.close());
  const siteId = await steps.register(name, 'simulator', { url: site.url, site: name });

  const asked = { ...work, arguments: [], queue: null, siteIds: [siteId], idempotencyKey: null, deadlineAt: null };
  const { executionId: id } = await submitJob(world.commands, world.principal, asked);
  const atSite = { siteId, siteQueue: 'batch', attempts: 1, nativeId: '7', submittedWalltimeSeconds: 1800 };
  const submitted = { ...atSite, nativeSubmittedAt: new Date(now * 1000) };
  const begun = startedAt === null ? { state: 'QUEUED' } : { state: 'RUNNING', startedAt: new Date(startedAt * 1000) };
  await world.stores.database.db.execution.update({ where: { id }, data: { ...submitted, ...begun } as never });

  const jobTold = async () => {
    const fields = '... on Job { queue submittedWalltimeSeconds expectedEndAt siteReason sitePriority }';
    const query = `query ($id: ID!) { node(id: $id) { ${fields} } }`;
    const { data } = await world.ask(world.tokens.gateway, query, { id: toGlobalId('Job', id) });
    return data.node as JobTold;
  };
  return async (told: Partial<RunningJob>, attempt = 1) => {
    const asAsked = { nativeId: '7', key: submissionKey(id, attempt), user: 'gridcast', queue: 'batch', processors: 4 };
    const shown = { ...asAsked, requestedWalltimeSeconds: 1800, submitAt: now, ...told };
    const jobs = startedAt === null ? { waiting: [shown] } : { running: [{ ...shown, startAt: startedAt }] };
    site.answers = { ...site.answers, snapshot: { ...listing(), ...jobs } };
    await steps.observe(siteId);
    world.clock.advanceTo(world.clock.now() + 60);
    return jobTold();
  };
}

test('a job that its site moves to another queue is told and forecast in that one', async () => {
  const observed = await jobAtSite('moves', null);
  const shownIn = async (where: string, attempt?: number) => (await observed({ queue: where }, attempt)).queue;
  expect(await shownIn('batch')).toBe('batch');
  expect(await shownIn('batch,long'), 'a job in several queues is in none of them yet').toBe('batch');
  expect(await shownIn('long')).toBe('long');
  expect(await shownIn('batch', 2), 'the id of another job').toBe('long');
});

test('a job whose walltime its site changes is told to have that, and to end by it', async () => {
  const startedAt = world.clock.now();
  const observed = await jobAtSite('gives-time', startedAt);
  const endsWithin = async (told: Partial<RunningJob>) => {
    const { submittedWalltimeSeconds, expectedEndAt } = await observed(told);
    return { submittedWalltimeSeconds, latest: Date.parse(expectedEndAt ?? '') / 1000 - startedAt };
  };
  const asAsked = await endsWithin({ requestedWalltimeSeconds: 1830 });
  expect(asAsked.submittedWalltimeSeconds, 'whole minutes are no change').toBe(1800);
  expect(asAsked.latest).toBeLessThanOrEqual(1800);

  const cut = await endsWithin({ requestedWalltimeSeconds: 300 });
  expect(cut.submittedWalltimeSeconds).toBe(300);
  expect(cut.latest).toBeLessThanOrEqual(300);

  world.clock.advanceTo(startedAt + 2400);
  const longer = await endsWithin({ requestedWalltimeSeconds: 36_000 });
  expect(longer.submittedWalltimeSeconds).toBe(36_000);
  expect(longer.latest, 'it goes on, and does not end in the past').toBeGreaterThan(2400);
  expect((await observed({ requestedWalltimeSeconds: null })).submittedWalltimeSeconds, 'nothing is told').toBe(36_000);
});

test('a job that runs says that its site has suspended it, as long as it has', async () => {
  const observed = await jobAtSite('suspends', world.clock.now());
  const said = async (reason: string | null) => {
    const { siteReason, sitePriority } = await observed({ reason, priority: 7 });
    expect(sitePriority, 'of those that wait').toBeNull();
    return siteReason;
  };
  expect([await said(null), await said('SUSPENDED'), await said(null)]).toEqual([null, 'SUSPENDED', null]);
});
