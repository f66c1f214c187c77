import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { forecastingThread } from './forecasting-thread.ts';
import { askOf, createToldSite, type ToldSite } from './learned-site.ts';

const PROCESSORS = 64;
const RECORDS = simulatedRecords(200, PROCESSORS);
const NOW = RECORDS.at(-1)?.submitAt ?? 0;

let stores: TestDatabase;
let sites: ToldSite[];
beforeAll(async () => {
  stores = await createTestDatabase();
  sites = [];
  for (const name of ['a', 'b', 'c']) {
    const site = await createToldSite(stores, name, RECORDS.slice(20 * sites.length), PROCESSORS);
    await site.tell(NOW - 1000);
    sites.push(site);
  }
});
afterAll(() => stores.drop());

test('sites that nobody asks about are put away by their owner, and come back as they would have been', {
  timeout: 300_000,
}, async () => {
  const { forecaster: few, owned, told } = forecastingThread(stores, 64, { mostSites: 1 });
  const giveUpAt = performance.now() + 240_000;
  const isAllLearned = async () => (await stores.database.db.checkpoint.groupBy({ by: ['siteId'] })).length === 3;
  while (!(await isAllLearned()) || (await few.state()).length > 1) {
    if (performance.now() > giveUpAt) throw new Error('the sites were not put away');
    await owned.look();
    await few.follow();
    await sleep(20);
  }
  const { forecaster: all } = forecastingThread(stores, 128);
  for (const { id } of sites) await askOf(all, id, NOW);
  for (const site of sites) await site.tell(NOW);
  for (const { id } of sites) expect(await askOf(few, id, NOW)).toEqual(await askOf(all, id, NOW));
  expect(told).toEqual([]);
  expect((await few.state()).length, 'who was asked about just now stays').toBe(3);
});
