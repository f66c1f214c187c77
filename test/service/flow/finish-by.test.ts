import { afterEach, expect, test } from 'vitest';
import { findExecution } from '../../../src/store/executions.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { readScoreCard } from '../../../src/store/score-card.ts';
import { listSubmissions } from '../../../src/store/submissions.ts';
import { jobsOf } from './down-world.ts';
import { askToFinish, createStuckWorld, settled } from './finish-world.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld } from './usual-work.ts';
import { judge } from './witness.ts';

let world: SteppedWorld;
afterEach(() => world.close());

async function scoresOf(executionId: string) {
  return world.database.db.score.findMany({ where: { executionId, metric: 'DEADLINE_KEPT' } });
}

test('promised finishes are watched, kept or missed as their callers said, and scored', {
  timeout: 120_000,
}, async () => {
  world = await createIdleWorld(91, 'east');
  const { db } = world.database;
  const id = await askToFinish(world, { name: 'kept' });
  const before = await findExecution(db, id);
  expect(before?.promisedFinishProbability).toBeGreaterThanOrEqual(0.5);
  await world.until('it runs', async () => (await findExecution(db, id))?.state === 'RUNNING');
  const kept = await settled(world, id);
  expect(kept).toMatchObject({ outcome: 'COMPLETED', deadlineMissedAt: null, finishKept: true, finishMoves: 0 });
  const promised = kept.promisedFinishProbability ?? 0;
  expect(await scoresOf(id)).toMatchObject([{ quantity: 'wait', predicted: promised, actual: 1 }]);

  const ended = await settled(
    world,
    await askToFinish(world, { name: 'ended', runSeconds: 3 * 3600, leadSeconds: 7200 }),
  );
  expect(ended).toMatchObject({
    outcome: 'CANCELLED',
    reason: expect.stringMatching(/^its deadline passed while it was running; it ended .* after its deadline$/),
    deadlineMissedAt: ended.deadlineAt,
    finishKept: false,
  });
  const wish = { name: 'late', runSeconds: 3 * 3600, leadSeconds: 7200, ifMissed: 'RUN_LATE' } as const;
  const lateId = await askToFinish(world, wish);
  await world.until('it is told', async () => (await findExecution(db, lateId))?.deadlineMissedAt != null);
  expect(await findExecution(db, lateId)).toMatchObject({ state: 'RUNNING', finishKept: null });
  const late = await settled(world, lateId);
  expect(late).toMatchObject({ outcome: 'COMPLETED', cancelRequestedAt: null, finishKept: false });
  expect(late.reason).toMatch(/^it ended .* after its deadline$/);
  expect(await scoresOf(lateId)).toMatchObject([{ actual: 0 }]);

  const tally = (await readScoreCard(db, null)).find(({ deadlines }) => deadlines > 0);
  expect(tally).toMatchObject({ quantity: 'wait', deadlines: 3, deadlineKeptShare: 1 / 3 });
  expect(tally?.promisedDeadlineProbability).toBeGreaterThanOrEqual(0.5);
});

test('one that fails by itself in time, or is cancelled by its caller, is not put to the test', async () => {
  world = await createIdleWorld(92, 'east');
  const id = await askToFinish(world, { name: 'unwanted' });
  const { db } = world.database;
  await db.execution.update({
    where: { id },
    data: { cancelRequestedAt: new Date(world.clock.now() * 1000), cancelReason: 'cancelled by its caller' },
  });
  expect(await settled(world, id)).toMatchObject({ outcome: 'CANCELLED', finishKept: null });
  expect(await scoresOf(id)).toEqual([]);
});

test('one that waits at a site that starts nothing is moved to another that can promise more', {
  timeout: 120_000,
}, async () => {
  const stuck = await createStuckWorld(1);
  world = stuck.world;
  const { id } = stuck;
  const { db } = world.database;
  await world.until('it waits in the east', async () => {
    const row = await findExecution(db, id);
    return row?.state === 'QUEUED' && row.siteId === world.siteIds.get('east');
  });
  await world.until('its promise is in danger', async () => {
    const row = await findExecution(db, id);
    return (row?.currentFinishProbability ?? 1) < (row?.promisedFinishProbability ?? 0) || row?.finishMoves === 1;
  });
  const row = await settled(world, id);
  expect(row).toMatchObject({
    outcome: 'COMPLETED',
    siteId: world.siteIds.get('west'),
    finishMoves: 1,
    finishKept: true,
  });
  expect(await listSubmissions(db, id)).toMatchObject([{ state: 'WITHDRAWN' }, { state: 'ACCEPTED' }]);
  expect(jobsOf(world, 'east', id)).toMatchObject([{ startAt: null, outcome: 'CANCELLED' }]);
  expect(jobsOf(world, 'west', id)).toMatchObject([{ outcome: 'COMPLETED' }]);
  const [plan] = await findNewestPlans(db, [id]);
  expect(plan).toMatchObject({ revision: 1, chosenSiteId: world.siteIds.get('west') });
  const { lost, leftovers, undecided } = await judge(world);
  expect({ lost, leftovers, undecided }).toEqual({ lost: [], leftovers: [], undecided: [] });
});
