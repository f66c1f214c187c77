import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OWNERSHIP_SECONDS } from '../../../src/domain/ownership.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { OwnerProcesses, until } from './owner-processes.ts';

const ROUNDS = 3;
/** Longer than a lease. */
const PAUSE_MILLISECONDS = 1500 * OWNERSHIP_SECONDS;

let stores: TestDatabase;
let processes: OwnerProcesses;
beforeAll(async () => {
  stores = await createTestDatabase();
  processes = await OwnerProcesses.create(stores, 2 + 2 * ROUNDS);
  const { db } = stores.database;
  await db.$executeRaw`CREATE TABLE "Slow" ("seconds" float8)`;
  await db.$executeRawUnsafe(`CREATE FUNCTION "dawdle"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_sleep((SELECT COALESCE(max("seconds"), 0) FROM "Slow")); RETURN NEW; END $$`);
  await db.$executeRaw`CREATE TRIGGER "dawdle" BEFORE INSERT ON "Checkpoint" FOR EACH ROW EXECUTE FUNCTION "dawdle"()`;
});
afterAll(async () => {
  processes.kill();
  await stores.drop();
});

const isWriting = async () => {
  const writers = await stores.database.db.$queryRaw<unknown[]>`
    SELECT FROM pg_stat_activity WHERE "datname" = current_database() AND "state" = 'active'
       AND "query" LIKE '%INSERT INTO "Checkpoint"%' AND "pid" <> pg_backend_pid()`;
  return writers.length > 0;
};

test('an owner that is paused while it writes a checkpoint keeps nobody from its site, and writes none afterwards', {
  timeout: 600_000,
}, async () => {
  const { db } = stores.database;
  await processes.tellMore();
  let [one, other] = [await processes.start(), await processes.start()];
  await until('an owner', async () => (await processes.owner()).ownerId);
  await processes.untilWritten();
  for (let round = 0; round < ROUNDS; round++) {
    await processes.untilSettled();
    [one, other] = await processes.byOwner(one, other);
    const before = await processes.owner();
    await db.$executeRaw`INSERT INTO "Slow" VALUES (2)`;
    await processes.tellMore();
    await until('a checkpoint is being written', isWriting);
    one.process.kill('SIGSTOP');
    await db.$executeRaw`DELETE FROM "Slow"`;
    const seconds = await processes.untilTaken(before);
    process.stdout.write(`paused while it wrote: another one had the site after ${seconds.toFixed(1)} s\n`);
    expect(seconds).toBeLessThan(4 * OWNERSHIP_SECONDS);
    await processes.tellMore();
    await processes.say(other);
    await processes.untilWritten();
    await sleep(PAUSE_MILLISECONDS);
    one.process.kill('SIGCONT');
    await processes.say(one);
    await processes.untilSettled();
    await processes.oneHistory();
  }
  expect((await processes.oneHistory()).size).toBeGreaterThan(ROUNDS);
  const [present] = await processes.byOwner(one, other);
  expect(await processes.say(await processes.start()), 'who has just started says what the owner says').toEqual(
    await processes.say(present),
  );
});
