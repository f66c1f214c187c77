import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSite } from '../../../src/store/sites.ts';
import { freshDatabase } from './fresh-stores.ts';
import { spawnWorker } from './spawned-worker.ts';

test('a worker whose statements are cut off says so once, in lines of JSON, its threads too', async (context) => {
  const stores = await freshDatabase(context);
  const { database } = stores;
  const name = new URL(stores.url).pathname.slice(1);
  await database.db.$executeRawUnsafe(`ALTER DATABASE ${name} SET lock_timeout = '200ms'`);
  const site = { name: 'quick', adapter: 'simulator', configuration: { url: 'http://127.0.0.1:1', site: 'quick' } };
  await database.transaction((tx) => createSite(tx, { ...site, now: Date.now() / 1000 }));
  const worker = spawnWorker(context, { DATABASE_URL: stores.url, REDIS_URL: '' });
  await worker.untilLogged('worker ready');
  await database.transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL lock_timeout = 0`;
    await tx.$executeRaw`LOCK TABLE "Site", "Execution" IN ACCESS EXCLUSIVE MODE`;
    await sleep(14_000);
  });
  await worker.untilLogged('the database answers again');
  const said = worker.said.split('\n').filter((line) => line !== '');
  expect(said.filter((line) => !line.startsWith('{'))).toEqual([]);
  expect(worker.lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  const refusals = worker.lines.filter(({ msg }) => String(msg).endsWith('the database refuses'));
  expect(refusals.map(({ unlogged }) => unlogged)).toEqual([0]);
});
