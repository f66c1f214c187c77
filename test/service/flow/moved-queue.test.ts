import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { submissionKey } from '../../../src/domain/submission.ts';
import { toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { findExecution } from '../../../src/store/executions.ts';
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

test('a job that its site moves to another queue is told and forecast in that one', async () => {
  const steps = stepsOver(world);
  const now = world.clock.now();
  const listing = () => {
    return { observedAt: world.clock.now(), processors: 64, freeProcessors: 64, waiting: [], running: [] };
  };
  const facts = { processors: 64, queues: [queue('batch'), queue('long')] };
  const site = await tellSite({ facts, snapshot: listing(), history: { records: [], nextSince: now } });
  onTestFinished(() => site.close());
  const siteId = await steps.register('moves', 'simulator', { url: site.url, site: 'moves' });

  const asked = { ...work, arguments: [], queue: null, siteIds: [siteId], idempotencyKey: null, deadlineAt: null };
  const { executionId: id } = await submitJob(world.commands, world.principal, asked);
  const { db } = world.stores.database;
  const atSite = { state: 'QUEUED', siteId, siteQueue: 'batch', attempts: 1, nativeId: '7' } as const;
  await db.execution.update({ where: { id }, data: { ...atSite, nativeSubmittedAt: new Date(now * 1000) } });

  const shownIn = async (where: string, key = submissionKey(id, 1)) => {
    const job = { nativeId: '7', key, user: 'gridcast', queue: where, processors: 4, requestedWalltimeSeconds: 1800 };
    site.answers = { ...site.answers, snapshot: { ...listing(), waiting: [{ ...job, submitAt: now }] } };
    await steps.observe(siteId);
    world.clock.advanceTo(world.clock.now() + 60);
    return (await findExecution(db, id))?.siteQueue;
  };
  expect(await shownIn('batch')).toBe('batch');
  expect(await shownIn('batch,long'), 'a job in several queues is in none of them yet').toBe('batch');
  expect(await shownIn('long')).toBe('long');
  expect(await shownIn('batch', submissionKey(id, 2)), 'the id of another job').toBe('long');
  const { data } = await world.ask(
    world.tokens.gateway,
    'query ($id: ID!) { node(id: $id) { ... on Job { queue } } }',
    { id: toGlobalId('Job', id) },
  );
  expect(data.node).toEqual({ queue: 'long' });
});
