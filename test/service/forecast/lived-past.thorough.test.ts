import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { livedPast } from './lived-past.ts';

const past = livedPast();

test('a process that cannot read what the owner of a site keeps lives through its past itself', async () => {
  const owner = past.started();
  await past.untilLearned(owner);
  const learned = await past.ask(owner);
  while ((await past.db.checkpoint.count({ where: { siteId: past.siteId } })) === 0) await sleep(50);
  await past.db.$executeRaw`UPDATE "Checkpoint" SET "packed" = substring("packed" FROM 1 FOR 100)`;
  const other = past.started();
  await past.untilLearned(other);
  expect(await past.ask(other)).toEqual(learned);
});
