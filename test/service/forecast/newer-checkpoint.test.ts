import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SiteCheckpoints } from '../../../src/forecast/site-checkpoints.ts';
import { simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { forecastingThread, untilKept } from './forecasting-thread.ts';
import { askOf, createToldSite, type ToldSite } from './learned-site.ts';

const PROCESSORS = 64;
/** So many that what comes after the first of them outgrows a checkpoint. */
const RECORDS = simulatedRecords(1000, PROCESSORS);
const FIRST_AT = RECORDS[300]?.submitAt as number;
const NOW = RECORDS.at(-1)?.submitAt as number;

let stores: TestDatabase;
let site: ToldSite;
beforeAll(async () => {
  stores = await createTestDatabase();
  site = await createToldSite(stores, 'a', RECORDS, PROCESSORS);
  await site.tell(FIRST_AT);
});
afterAll(() => stores.drop());

test('nobody waits for the newer checkpoint of a site; it is taken once it is there', async () => {
  const [owner, other] = [forecastingThread(stores, 64), forecastingThread(stores, 128)];
  await untilKept(stores, owner, 1);
  expect(await askOf(other.forecaster, site.id, FIRST_AT)).toEqual(await askOf(owner.forecaster, site.id, FIRST_AT));

  await site.tell(NOW);
  await askOf(other.forecaster, site.id, NOW);
  await untilKept(stores, owner, 2);
  const { restore } = SiteCheckpoints.prototype;
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const restoring = vi.spyOn(SiteCheckpoints.prototype, 'restore').mockImplementation(async function (
    this: SiteCheckpoints,
    ...args: Parameters<typeof restore>
  ) {
    await held;
    return restore.apply(this, args) as never;
  });
  try {
    const beside = await askOf(other.forecaster, site.id, NOW);
    expect(await askOf(other.forecaster, site.id, NOW)).toEqual(beside);
    expect(restoring).toHaveBeenCalledTimes(1);
    letThrough();
    await restoring.mock.results[0]?.value;
    expect(await askOf(other.forecaster, site.id, NOW)).toEqual(await askOf(owner.forecaster, site.id, NOW));
    await askOf(other.forecaster, site.id, NOW);
    // Of a site that had not taken it, it would be looked for again.
    expect(restoring).toHaveBeenCalledTimes(1);
    expect([...owner.told, ...other.told]).toEqual([]);
  } finally {
    letThrough();
    restoring.mockRestore();
  }
});
