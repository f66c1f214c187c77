import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WaitForecast } from '../../../src/domain/forecast.ts';
import { OWNERSHIP_LOOK_SECONDS, OWNERSHIP_SECONDS, processOf } from '../../../src/domain/ownership.ts';
import { simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { createToldSite, type ToldSite } from './learned-site.ts';

const SCRIPT = fileURLToPath(new URL('owner-process.ts', import.meta.url));
const PROCESSORS = 64;
/** So many bring another checkpoint. */
const MORE_RECORDS = 520;
const RECORDS = simulatedRecords(300 + 4 * MORE_RECORDS, PROCESSORS);
const PATIENCE_MILLISECONDS = 120_000;

/** A process that forecasts, with the number that its row bears. */
interface Forecasting {
  readonly process: ChildProcess;
  readonly id: number;
}

let stores: TestDatabase;
let site: ToldSite;
/** Moments that the site has been told of. */
const toldAt: number[] = [];
const processes: ChildProcess[] = [];
beforeAll(async () => {
  stores = await createTestDatabase();
  site = await createToldSite(stores, 'site', RECORDS, PROCESSORS);
  const { db } = stores.database;
  await db.$executeRaw`CREATE TABLE "Written" ("at" serial, "number" int, "epoch" int, "revision" float8)`;
  await db.$executeRawUnsafe(`CREATE FUNCTION "note"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO "Written" ("number", "epoch", "revision") VALUES (NEW."number", NEW."epoch", NEW."revision");
    RETURN NEW; END $$`);
  await db.$executeRaw`CREATE TRIGGER "note" AFTER INSERT ON "Checkpoint" FOR EACH ROW EXECUTE FUNCTION "note"()`;
});
afterAll(async () => {
  for (const one of processes) one.kill('SIGKILL');
  await stores.drop();
});

async function until<Found>(what: string, find: () => Promise<Found | null | false>): Promise<Found> {
  const giveUpAt = performance.now() + PATIENCE_MILLISECONDS;
  for (;;) {
    const found = await find();
    if (found !== null && found !== false) return found;
    if (performance.now() > giveUpAt) throw new Error(`not within ${PATIENCE_MILLISECONDS} ms: ${what}`);
    await sleep(50);
  }
}

async function started(): Promise<Forecasting> {
  const known = new Set((await rows()).map(({ id }) => id));
  const child = spawn(process.execPath, ['--import', '@oxc-node/core/register', SCRIPT, stores.url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  processes.push(child);
  const id = await until('its row', async () => (await rows()).find((row) => !known.has(row.id))?.id ?? null);
  return { process: child, id };
}

const rows = () => stores.database.db.$queryRaw<{ id: number }[]>`SELECT "id" FROM "ForecastingProcess"`;

async function owner() {
  const row = await stores.database.db.siteOwner.findUnique({ where: { siteId: site.id } });
  return { ownerId: row?.ownerId ?? null, epoch: row?.epoch ?? 0, checkpoint: row?.checkpoint ?? 0 };
}

/** What it says of one state of the site that it was told of. */
async function say({ process: child }: Forecasting): Promise<WaitForecast[]> {
  const now = toldAt.at(-1) as number;
  const answered = once(child, 'message');
  child.send({ siteId: site.id, now });
  const [{ said, fault }] = (await answered) as [{ said: WaitForecast[]; fault?: string }];
  expect(fault).toBeUndefined();
  const observedAt = new Set(said.map((one) => one.observedAt));
  expect(observedAt.size, 'one state in one answer').toBe(1);
  return said;
}

/** Until who should own the site by the processes that there are does. */
async function untilSettled(): Promise<void> {
  let seen = '';
  let since = performance.now();
  await until('an owner who stays', async () => {
    const now = JSON.stringify(await owner());
    if (now !== seen) since = performance.now();
    seen = now;
    return performance.now() - since > 2500 * OWNERSHIP_LOOK_SECONDS;
  });
}

/** Tells of more jobs, so many that the owner writes another checkpoint. */
async function tellMore(): Promise<void> {
  const i = 300 + toldAt.length * MORE_RECORDS;
  const now = RECORDS[Math.min(i, RECORDS.length) - 1]?.submitAt as number;
  toldAt.push(now);
  await site.tell(now);
}

async function untilWritten(): Promise<void> {
  await until('a checkpoint of all that was told', async () => {
    const [row] = await stores.database.db.$queryRaw<{ isAll: boolean }[]>`
      SELECT c."revision" = (SELECT max("revision") FROM "Record") AS "isAll" FROM "Checkpoint" c
       ORDER BY c."number" DESC LIMIT 1`;
    return row?.isAll ?? false;
  });
}

/** Until another than the one that owned it under an epoch does. @returns seconds that took */
async function untilTaken(before: { ownerId: number | null; epoch: number }): Promise<number> {
  const from = performance.now();
  await until('another owner', async () => {
    const { ownerId, epoch } = await owner();
    return epoch > before.epoch && ownerId !== null && ownerId !== before.ownerId;
  });
  return (performance.now() - from) / 1000;
}

test('owners that are killed, paused or deceived leave one history of checkpoints, and everybody says the same', {
  timeout: 400_000,
}, async () => {
  await tellMore();
  let [one, other] = [await started(), await started()];
  expect(processOf(one.id)).not.toBe(processOf(other.id));
  const byOwner = async () =>
    ((await owner()).ownerId === one.id ? [one, other] : [other, one]) as [Forecasting, Forecasting];
  await until('an owner', async () => (await owner()).ownerId);
  await untilWritten();
  const seconds: Record<string, number> = {};

  await untilSettled();
  [one, other] = await byOwner();
  const killed = await owner();
  one.process.kill('SIGKILL');
  await tellMore();
  await say(other);
  seconds.killed = await untilTaken(killed);
  expect((await owner()).ownerId).toBe(other.id);
  await untilWritten();

  one = await started();
  await untilSettled();
  [one, other] = await byOwner();
  const paused = await owner();
  one.process.kill('SIGSTOP');
  await tellMore();
  await say(other);
  seconds.paused = await untilTaken(paused);
  await untilWritten();
  one.process.kill('SIGCONT');
  await say(one);
  await untilSettled();

  [one, other] = await byOwner();
  const deceived = await owner();
  await stores.database.db.$executeRaw`
    UPDATE "SiteOwner" SET "ownerId" = ${other.id}::int, "epoch" = "epoch" + 1 WHERE "siteId" = ${site.id}::uuid`;
  await tellMore();
  await until('who owns it writes', async () => (await owner()).checkpoint > deceived.checkpoint);
  await untilWritten();

  const written = await stores.database.db.$queryRaw<{ number: number; epoch: number; revision: number }[]>`
    SELECT "number", "epoch", "revision" FROM "Written" ORDER BY "at"`;
  expect(written.map(({ number }) => number)).toEqual(written.map((_, i) => i + 1));
  for (const [i, after] of written.entries()) {
    const before = written[i - 1];
    expect(after.epoch).toBeGreaterThanOrEqual(before?.epoch ?? 1);
    expect(after.revision).toBeGreaterThanOrEqual(before?.revision ?? 0);
  }
  expect(new Set(written.map(({ epoch }) => epoch)).size).toBeGreaterThanOrEqual(4);
  const [present] = await byOwner();
  expect(await say(await started()), 'who has just started says what the owner says').toEqual(await say(present));
  for (const [what, taken] of Object.entries(seconds)) {
    process.stdout.write(`an owner was ${what}: another one had the site after ${taken.toFixed(1)} s\n`);
    expect(taken).toBeLessThan(4 * OWNERSHIP_SECONDS);
  }
});
