import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unreadSite } from '../../../src/forecast/followed-site.ts';
import { SiteCheckpoints } from '../../../src/forecast/site-checkpoints.ts';
import { followedBy } from '../../../src/forecast/thread-options.ts';
import { packCheckpoint, unpackCheckpoint } from '../../../src/predict/checkpoint/pack.ts';
import { readPacked } from '../../../src/store/checkpoints.ts';
import { simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { forecastingThread } from './forecasting-thread.ts';
import { askOf, createToldSite, type ToldSite } from './learned-site.ts';

const PROCESSORS = 64;
const RECORDS = simulatedRecords(200, PROCESSORS);
const NOW = RECORDS.at(-1)?.submitAt ?? 0;

let stores: TestDatabase;
let site: ToldSite;
beforeAll(async () => {
  stores = await createTestDatabase();
  site = await createToldSite(stores, 'a', RECORDS, PROCESSORS);
  await site.tell(NOW);
});
afterAll(() => stores.drop());

async function isLearned({ forecaster }: ReturnType<typeof forecastingThread>): Promise<boolean> {
  await forecaster.follow();
  return (await forecaster.state()).every(({ isLearning }) => !isLearning);
}

const kept = () => stores.database.db.checkpoint.count();

test('a database without room for checkpoints is told of, and sites are learned and forecast all the same', async () => {
  const { db } = stores.database;
  await db.$executeRaw`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$`;
  await db.$executeRaw`CREATE TRIGGER no_room BEFORE INSERT ON "Checkpoint" FOR EACH ROW EXECUTE FUNCTION refuse()`;
  const full = forecastingThread(stores, 64);
  const { told, owned, forecaster } = full;
  await owned.look();
  await expect.poll(() => isLearned(full), { timeout: 60_000 }).toBe(true);
  await expect.poll(() => forecaster.follow().then(() => told.length), { timeout: 60_000 }).toBeGreaterThan(0);
  expect(told).toEqual([expect.stringContaining('No space left on device')]);
  expect(await askOf(forecaster, site.id, NOW)).toHaveLength(3);
  for (let look = 0; look < 3; look++) await forecaster.follow();
  expect(told, 'it is not tried again at once').toHaveLength(1);
  await db.$executeRaw`DROP TRIGGER no_room ON "Checkpoint"`;
  expect(await kept()).toBe(0);
});

test('a checkpoint of another shape is of no use, and who relived for it takes the next one', async () => {
  const { db } = stores.database;
  const owner = forecastingThread(stores, 128);
  await db.$executeRaw`UPDATE "ForecastingProcess" SET "until" = now() - interval '1 hour'`;
  await expect
    .poll(
      async () => {
        await owner.owned.look();
        await owner.forecaster.follow();
        return kept();
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0);
  const [whole] = await db.checkpoint.findMany();
  const packed = (await readPacked(stores.database, site.id, whole?.number ?? 0)) as Uint8Array;
  const { header, ...rest } = unpackCheckpoint<object>(packed);
  const odd = packCheckpoint({ ...rest, header: { ...header, about: null } } as never);
  await db.checkpoint.updateMany({ data: { packed: Uint8Array.from(gzipSync(odd)) } });

  const reader = forecastingThread(stores, 192);
  await expect.poll(() => askOf(reader.forecaster, site.id, NOW).then(() => reader.told.length)).toBe(1);
  expect(reader.told[0]).toContain('cannot be used, its past is relived');
  await expect.poll(() => isLearned(reader), { timeout: 60_000 }).toBe(true);

  await db.checkpoint.updateMany({
    data: { packed: whole?.packed as Uint8Array<ArrayBuffer>, number: 1 + (whole?.number ?? 0) },
  });
  await expect
    .poll(async () => [await askOf(reader.forecaster, site.id, NOW), await askOf(owner.forecaster, site.id, NOW)], {
      timeout: 30_000,
    })
    .toSatisfy(([read, own]) => JSON.stringify(read) === JSON.stringify(own));
  // The next one is restored beside what is asked.
  const faultOnceAsked = async () => {
    await askOf(reader.forecaster, site.id, NOW);
    return (await db.siteOwner.findFirstOrThrow()).fault;
  };
  await expect.poll(faultOnceAsked, { message: 'it is said that all is well again', timeout: 30_000 }).toBeNull();
});

test('in place of a torn checkpoint the one before it is read, and its owner writes another one', async () => {
  const { db } = stores.database;
  const [owner, reader] = [forecastingThread(stores, 128), forecastingThread(stores, 256)];
  await owner.owned.look();
  await owner.forecaster.follow();
  const whole = await db.checkpoint.findFirstOrThrow({ orderBy: { number: 'desc' } });
  const torn = whole.packed.slice(0, whole.packed.length / 2);
  await db.checkpoint.create({ data: { ...whole, number: whole.number + 1, packed: torn } });
  await db.siteOwner.updateMany({ data: { checkpoint: whole.number + 1 } });

  const own = await askOf(owner.forecaster, site.id, NOW);
  expect(await askOf(reader.forecaster, site.id, NOW), 'at once, and nothing is relived').toEqual(own);
  expect(reader.told).toEqual([expect.stringContaining('cannot be used, the one before it is tried')]);
  expect((await db.siteOwner.findFirstOrThrow()).fault).not.toBeNull();

  await owner.owned.look();
  await owner.forecaster.follow();
  const { number } = await db.checkpoint.findFirstOrThrow({ orderBy: { number: 'desc' } });
  expect(number).toBe(whole.number + 2);
  expect((await db.siteOwner.findFirstOrThrow()).fault).toBeNull();
  const another = forecastingThread(stores, 320);
  expect(await askOf(another.forecaster, site.id, NOW)).toEqual(own);
  expect(another.told).toEqual([]);
});

test('who cannot read a checkpoint again does not make its owner write without end', async () => {
  const { db } = stores.database;
  const owner = forecastingThread(stores, 128);
  const before = (await db.siteOwner.findFirstOrThrow()).checkpoint;
  const numbers: number[] = [];
  for (let look = 0; look < 4; look++) {
    await db.siteOwner.updateMany({ data: { fault: 'of another version' } });
    await owner.owned.look();
    await owner.forecaster.follow();
    numbers.push((await db.siteOwner.findFirstOrThrow()).checkpoint);
  }
  expect(numbers).toEqual(Array(4).fill(before + 1));
});

test('a checkpoint that goes while it is looked for is not one that cannot be used', async () => {
  const { db } = stores.database;
  const [row] = await db.checkpoint.findMany({ orderBy: { number: 'desc' } });
  const told: string[] = [];
  const readBytes = (...asked: Parameters<typeof stores.database.readBytes>) =>
    db.checkpoint.deleteMany().then(() => stores.database.readBytes(...asked));
  const checkpoints = new SiteCheckpoints({ ...stores.database, readBytes }, (what, error) =>
    told.push(`${what}: ${(error as Error).message}`),
  );
  const wanted = { recordsEpoch: row?.recordsEpoch ?? -1, livedAfter: null, newerThan: null };
  const unread = () => unreadSite(followedBy({ predictor: 'baseline/median', alsoScored: [] }), {});
  expect(await checkpoints.restore(site.id, unread, wanted)).toBeNull();
  expect(checkpoints.isUnusable(site.id)).toBe(false);
  expect(told).toEqual([]);
});
