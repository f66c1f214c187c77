import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalForecaster } from '../../../src/forecast/local-forecaster.ts';
import { OwnedSites } from '../../../src/forecast/owned-sites.ts';
import { SiteCheckpoints } from '../../../src/forecast/site-checkpoints.ts';
import { simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { askOf, createToldSite, type ToldSite } from './learned-site.ts';

const PROCESSORS = 64;
const RECORDS = simulatedRecords(200, PROCESSORS);
const NOW = RECORDS.at(-1)?.submitAt ?? 0;
const OPTIONS = { predictor: 'wait/gridcast', alsoScored: [], freshMilliseconds: 0 };

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
  const owned = new OwnedSites(stores.database.db, { threadId: 64, learnsLast: false });
  const checkpoints = new SiteCheckpoints(stores.database, (message) => expect.fail(message));
  const shared = { owned, checkpoints, isHere: () => true };
  const few = createLocalForecaster(stores.database, { ...OPTIONS, mostSites: 1 }, shared);
  const giveUpAt = performance.now() + 240_000;
  const isAllLearned = async () => (await stores.database.db.checkpoint.groupBy({ by: ['siteId'] })).length === 3;
  while (!(await isAllLearned()) || (await few.state()).length > 1) {
    if (performance.now() > giveUpAt) throw new Error('the sites were not put away');
    await owned.look();
    await few.follow();
    await sleep(20);
  }
  const all = createLocalForecaster(stores.database, OPTIONS, { ...shared, isHere: () => true });
  for (const { id } of sites) await askOf(all, id, NOW);
  for (const site of sites) await site.tell(NOW);
  for (const { id } of sites) expect(await askOf(few, id, NOW)).toEqual(await askOf(all, id, NOW));
  expect((await few.state()).length, 'who was asked about just now stays').toBe(3);
});
