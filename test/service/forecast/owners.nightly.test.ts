import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNERSHIP_SECONDS, processOf } from '../../../src/domain/ownership.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { OwnerProcesses, until } from './owner-processes.ts';

let stores: TestDatabase;
let processes: OwnerProcesses;
beforeAll(async () => {
  stores = await createTestDatabase();
  processes = await OwnerProcesses.create(stores, 4);
});
afterAll(async () => {
  processes.kill();
  await stores.drop();
});

test('owners that are killed, paused or deceived leave one history of checkpoints, and everybody says the same', {
  timeout: 400_000,
}, async () => {
  await processes.tellMore();
  let [one, other] = [await processes.start(), await processes.start()];
  expect(processOf(one.id)).not.toBe(processOf(other.id));
  await until('an owner', async () => (await processes.owner()).ownerId);
  await processes.untilWritten();
  const seconds: Record<string, number> = {};

  await processes.untilSettled();
  [one, other] = await processes.byOwner(one, other);
  const killed = await processes.owner();
  one.process.kill('SIGKILL');
  await processes.tellMore();
  await processes.say(other);
  seconds.killed = await processes.untilTaken(killed);
  expect((await processes.owner()).ownerId).toBe(other.id);
  await processes.untilWritten();

  one = await processes.start();
  await processes.untilSettled();
  [one, other] = await processes.byOwner(one, other);
  const paused = await processes.owner();
  one.process.kill('SIGSTOP');
  await processes.tellMore();
  await processes.say(other);
  seconds.paused = await processes.untilTaken(paused);
  await processes.untilWritten();
  one.process.kill('SIGCONT');
  await processes.say(one);
  await processes.untilSettled();

  [one, other] = await processes.byOwner(one, other);
  const deceived = await processes.owner();
  await stores.database.db.$executeRaw`
    UPDATE "SiteOwner" SET "ownerId" = ${other.id}::int, "epoch" = "epoch" + 1
     WHERE "siteId" = ${processes.site.id}::uuid`;
  await processes.tellMore();
  await until('who owns it writes', async () => (await processes.owner()).checkpoint > deceived.checkpoint);
  await processes.untilWritten();

  expect((await processes.oneHistory()).size).toBeGreaterThanOrEqual(4);
  const [present] = await processes.byOwner(one, other);
  expect(await processes.say(await processes.start()), 'who has just started says what the owner says').toEqual(
    await processes.say(present),
  );
  for (const [what, taken] of Object.entries(seconds)) {
    process.stdout.write(`an owner was ${what}: another one had the site after ${taken.toFixed(1)} s\n`);
    expect(taken).toBeLessThan(4 * OWNERSHIP_SECONDS);
  }
});
