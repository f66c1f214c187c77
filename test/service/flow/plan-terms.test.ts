import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { updateSite } from '../../../src/commands/update-site.ts';
import { findNewestPlans } from '../../../src/store/plans.ts';
import { executionOf, isSettled } from './rows.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

test('a job goes where its tags are, is compared by its objective, and keeps the plan with every reason', async () => {
  world = await createIdleWorld(61, 'east', 'west', 'north');
  const { commands, principal, siteIds, database } = world;
  const [east = '', west = '', north = ''] = ['east', 'west', 'north'].map((name) => siteIds.get(name));
  for (const siteId of [west, north]) {
    const change = { siteId, name: null, configuration: null, tags: ['gaussian/16'], idempotencyKey: null };
    await updateSite(commands, principal, change);
  }
  const terms = { objective: 'LEAST_CHARGE', requiredTags: ['gaussian/16'], excludeSiteIds: [north] } as const;
  const job = { ...WORK, ...terms, name: 'tagged', siteIds: [], deadlineAt: null, maxChargeProcessorSeconds: 4 * 1800 };
  const { executionId } = await submitJob(commands, principal, job);
  await world.until('it is settled', isSettled(world, executionId));
  expect(await executionOf(world, executionId)).toMatchObject({ siteId: west, outcome: 'COMPLETED' });

  const [plan] = await findNewestPlans(database.db, [executionId]);
  expect(plan).toMatchObject({ chosenSiteId: west, objective: 'LEAST_CHARGE' });
  expect(new Set(plan?.candidates.map(({ siteId }) => siteId))).toEqual(new Set([east, west]));
  const chosen = plan?.candidates.find(({ lostBecause }) => lostBecause === null);
  expect(chosen).toMatchObject({ siteId: west, score: 4 * 1800, spread: { wait: expect.any(Array) } });
  expect(chosen?.spread?.finish.map(({ probability }) => probability)).toEqual([0.5, 0.9]);
  expect(plan?.candidates.find(({ siteId }) => siteId === east)).toMatchObject({ lostBecause: 'MISSING_TAG' });
});
