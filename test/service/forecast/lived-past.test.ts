import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { livedPast } from './lived-past.ts';

const past = livedPast();

test('a process that has just started knows its sites as well as one that ran, once it has lived through their pasts', async () => {
  const first = past.started();
  expect(await first.stateOf(past.siteId)).toMatchObject({ isLearning: true });
  const byWaitsAlone = await past.ask(first);
  await past.untilLearned(first);
  const learned = await past.ask(first);
  expect(learned).not.toEqual(byWaitsAlone);
  const second = past.started();
  await past.untilLearned(second);
  expect(await past.ask(second)).toEqual(learned);
});

test('a process gets to know every site without being asked', async () => {
  const forecaster = past.started();
  const learned = async () =>
    (await forecaster.state()).some(({ siteId, isLearning }) => siteId === past.siteId && !isLearning);
  const giveUpAt = performance.now() + 90_000;
  while (!(await learned()) && performance.now() < giveUpAt) await sleep(100);
  expect(await learned(), 'nobody has asked, and it has learned').toBe(true);
});
