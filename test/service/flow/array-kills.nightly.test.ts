import { afterAll, expect, test } from 'vitest';
import { submitArray } from '../../../src/commands/submit-array.ts';
import { amid, Crew, createStormyWorld, expectNothingLost, untilObserved, untilSettled } from './storm.ts';
import { SHORT_WORK } from './usual-work.ts';
import type { World } from './world.ts';

const TASKS = 200;
const LIMIT = 150;

let world: World;
let crew: Crew;
afterAll(async () => {
  crew?.dismiss();
  await world?.close();
});

test('an array of 200 tasks loses and doubles none while its workers are killed', { timeout: 180_000 }, async () => {
  world = await createStormyWorld({ scale: 60 });
  crew = new Crew(world, 2);
  await untilObserved(world);
  const { db } = world.stores.database;
  let most = 0;
  const array = { ...SHORT_WORK, name: 'sweep', siteIds: [], deadlineAt: null, tasks: TASKS, limit: LIMIT };
  await amid(
    (turn) => crew.kill(turn),
    { everyMilliseconds: 4000, most: 6 },
    async () => {
      const { groupId } = await submitArray(world.commands, world.principal, array);
      const looking = setInterval(async () => {
        const states = { in: ['HELD' as const, 'SUBMITTING' as const, 'QUEUED' as const, 'RUNNING' as const] };
        most = Math.max(most, await db.execution.count({ where: { groupId, state: states } }));
      }, 250);
      await untilSettled(world, 120).finally(() => clearInterval(looking));
      await world.until('the group is over', async () => {
        const { endedAt } = await db.jobGroup.findUniqueOrThrow({ where: { id: groupId } });
        return endedAt !== null;
      });
    },
  );
  const { executions } = await expectNothingLost(world, `an array of ${TASKS}: ${crew.kills} kills`);
  expect(executions).toBe(TASKS);
  expect(crew.kills).toBeGreaterThan(0);
  expect(crew.died).toBe(0);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(LIMIT);
});
