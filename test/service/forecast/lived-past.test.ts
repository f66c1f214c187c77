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
  await Promise.all([first.close(), second.close()]);
});

test('a process gets to know every site that it learns without being asked, and none that another one learns', async () => {
  const owner = past.started();
  const learned = async () =>
    (await owner.state()).some(({ siteId, isLearning }) => siteId === past.siteId && !isLearning);
  const giveUpAt = performance.now() + 90_000;
  while (!(await learned()) && performance.now() < giveUpAt) await sleep(100);
  expect(await learned(), 'nobody has asked, and it has learned').toBe(true);

  const other = past.started();
  await sleep(TWO_LOOKS_MILLISECONDS);
  const states = await Promise.all([owner.state(), other.state()]);
  expect(
    states.flat().filter(({ siteId }) => siteId === past.siteId),
    'one of them holds it',
  ).toHaveLength(1);
  expect(await past.ask(other), 'who is asked says the same').toEqual(await past.ask(owner));
});

/** So long that a process has looked at every site twice. */
const TWO_LOOKS_MILLISECONDS = 12_000;
