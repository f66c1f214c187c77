import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RollingFit } from '../../../src/predict/online/rolling-fit.ts';
import { simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { forecastingThread, untilKept } from './forecasting-thread.ts';
import { askOf, createToldSite, type ToldSite } from './learned-site.ts';

const PROCESSORS = 64;
const RECORDS = simulatedRecords(300, PROCESSORS);
const NOW = RECORDS.at(-1)?.submitAt ?? 0;

let stores: TestDatabase;
let site: ToldSite;
beforeAll(async () => {
  stores = await createTestDatabase();
  site = await createToldSite(stores, 'a', RECORDS, PROCESSORS);
  await site.tell(NOW - 4000);
});
afterAll(() => stores.drop());

test('only the owner of a site fits its models; who takes it over goes on from what was kept', async () => {
  const leaving = vi.spyOn(RollingFit.prototype, 'leaveToOthers');
  const [owner, other] = [forecastingThread(stores, 64), forecastingThread(stores, 128)];
  await untilKept(stores, owner);
  const byOwner = await askOf(owner.forecaster, site.id, NOW - 4000);
  expect(leaving).not.toHaveBeenCalled();
  expect(await askOf(other.forecaster, site.id, NOW - 4000)).toEqual(byOwner);
  expect(leaving).toHaveBeenCalled();

  await owner.owned.close();
  await other.owned.look();
  expect(other.owned.epochOf(site.id)).not.toBeNull();
  leaving.mockClear();
  await site.tell(NOW);
  const taken = await askOf(other.forecaster, site.id, NOW);
  expect(leaving).not.toHaveBeenCalled();
  expect(await askOf(owner.forecaster, site.id, NOW)).toEqual(taken);
  expect([...owner.told, ...other.told]).toEqual([]);
});

test('who takes over a site whose checkpoint is gone lives through its past itself', async () => {
  const { db } = stores.database;
  const [owner, other] = [forecastingThread(stores, 256), forecastingThread(stores, 320)];
  await untilKept(stores, owner);
  const known = await askOf(other.forecaster, site.id, NOW);
  await owner.owned.close();
  await db.checkpoint.deleteMany();
  await untilKept(stores, other);
  expect((await other.forecaster.stateOf(site.id)).isLearning).toBe(false);
  expect((await askOf(other.forecaster, site.id, NOW)).map(({ sampleSize }) => sampleSize > 0)).toEqual(
    known.map(({ sampleSize }) => sampleSize > 0),
  );
});
