import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { advance } from '../../../src/flow/advance.ts';
import { unreadSite } from '../../../src/forecast/followed-site.ts';
import { LiveSites } from '../../../src/forecast/live-sites.ts';
import { findExecution } from '../../../src/store/executions.ts';
import { createSteppedWorld, type SteppedWorld } from './stepped-world.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const size = { processors: 64, walltimeSeconds: 3600, queue: null, siteIds: [] };

function oneSite(): Promise<SteppedWorld> {
  const workload = { generated: { seed: 91, load: 0.02 } };
  return createSteppedWorld({
    seed: 1,
    sites: [{ name: 'east', processors: 64, policy: 'easy', workload, warmDays: 10 }],
  });
}

async function submit(name: string): Promise<string> {
  const job = { ...size, name, script: '#!/bin/sh\nsleep 3000\n', arguments: [], idempotencyKey: null };
  return (await submitJob(world.commands, world.principal, { ...job, deadlineAt: null })).executionId;
}

const wakeUp = (targetId: string) =>
  ({ kind: 'EXECUTION', targetId, wakeAt: world.clock.now(), requestId: null }) as const;

test('a forecast sees our own jobs on their way to a site in its queue, each once when the site shows it', async () => {
  world = await oneSite();
  const siteId = world.siteIds.get('east') ?? '';
  const live = new LiveSites(world.database, () => unreadSite({ wait: ['wait/qbets'] }, {}), 0);
  const ownJobs = async () => {
    const reading = (await live.siteFor(siteId, world.clock.now())).open();
    const { state } = reading.view;
    reading.close();
    const jobs = [...(state?.waiting ?? []), ...(state?.running ?? [])];
    return jobs.filter(({ processors, user }) => processors === 64 && (user === null || user === 'gridcast'));
  };
  const id = await submit('one');
  expect(await ownJobs()).toEqual([]);
  await advance(world.worker(), wakeUp(id));
  expect((await findExecution(world.database.db, id))?.state).toBe('QUEUED');
  expect(await ownJobs()).toMatchObject([{ nativeId: id, queue: 'batch', requestedWalltimeSeconds: 3600 }]);
  await world.until('its site has been seen to run it', async () => {
    return (await findExecution(world.database.db, id))?.state === 'RUNNING';
  });
  const { nativeId } = (await findExecution(world.database.db, id)) ?? {};
  expect(await ownJobs()).toMatchObject([{ nativeId }]);
});

test('a plan is made anew when another job was assigned to its site meanwhile and another site might take it', async () => {
  world = await createSteppedWorld({
    seed: 1,
    sites: [
      { name: 'east', processors: 64, policy: 'easy', workload: { generated: { seed: 91, load: 0.02 } }, warmDays: 10 },
      { name: 'west', processors: 64, policy: 'easy', workload: { generated: { seed: 92, load: 0.9 } }, warmDays: 10 },
    ],
  });
  expect(await timesAskedWhileOvertaken()).toBe(2);
});

test('where no other site can take it the plan stands', async () => {
  world = await oneSite();
  expect(await timesAskedWhileOvertaken()).toBe(1);
});

/** How often the site that both of two jobs go to is asked for the first, when the second is assigned meanwhile. */
async function timesAskedWhileOvertaken(): Promise<number> {
  const [first, second] = [await submit('first'), await submit('second')];
  const plain = world.worker();
  const east = world.siteIds.get('east');
  let asked = 0;
  const forecaster = {
    ...plain.forecaster,
    async forecastWaits(...question: Parameters<typeof plain.forecaster.forecastWaits>) {
      const answer = await plain.forecaster.forecastWaits(...question);
      if (question[0] === east && asked++ === 0) await advance(plain, wakeUp(second));
      return answer;
    },
  };
  await advance({ ...plain, forecaster }, wakeUp(first));
  for (const id of [first, second]) {
    expect(await findExecution(world.database.db, id)).toMatchObject({ state: 'QUEUED', siteId: east });
  }
  return asked;
}
