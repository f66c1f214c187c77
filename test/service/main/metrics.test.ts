import { expect, type TestContext, test } from 'vitest';
import { readConfig } from '../../../src/main/config.ts';
import { startServerProcess } from '../../../src/main/server.ts';
import { createSite } from '../../../src/store/sites.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { buildPostgresDoor } from '../postgres-door.ts';

const KINDS = ['EXECUTION', 'SITE', 'CO_ALLOCATION', 'JOB_GROUP', 'BULK_CANCEL', 'STAGING'];
const AGE_SECONDS = 3600;

/** An API before a database that can be made to hang. No worker takes what is due there. */
async function measuredApi({ onTestFinished }: TestContext) {
  const stores = await createTestDatabase();
  onTestFinished(() => stores.drop());
  const door = await buildPostgresDoor(stores.url);
  onTestFinished(() => door.close());
  const api = await startServerProcess(
    readConfig({ DATABASE_URL: door.url, GRIDCAST_PORT: '0', GRIDCAST_LOG_LEVEL: 'silent' }),
  );
  onTestFinished(() => {
    door.turn('OPEN');
    return api.close();
  });
  return { stores, door, scrape: () => scrape(api.url) };
}

/** The values of our series by name and labels, as Prometheus would get them before it loses patience. */
async function scrape(url: string): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(new URL('/metrics', url), { signal: AbortSignal.timeout(10_000) });
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('gridcast_'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

async function addSites({ database: { db } }: TestDatabase): Promise<void> {
  const now = Date.now() / 1000;
  const [seen, unseen, removed] = await Promise.all(
    ['seen', 'unseen', 'removed'].map((name) =>
      createSite(db, { name, adapter: 'simulator', configuration: {}, now: now - AGE_SECONDS }),
    ),
  );
  const later = { wakeAt: new Date((now + AGE_SECONDS) * 1000) };
  await db.site.update({ where: { id: seen?.id ?? '' }, data: { ...later, observedAt: new Date(now * 1000) } });
  const down = { downEvidence: [{ sign: 'SILENT' }], suspendedAt: new Date(now * 1000) };
  await db.site.update({ where: { id: unseen?.id ?? '' }, data: { fault: 'UNREACHABLE', ...down } });
  await db.site.update({ where: { id: removed?.id ?? '' }, data: { ...later, removedAt: new Date(now * 1000) } });
}

test('an overdue row, a wake-up that stays behind and a site that is out of sight have gauges', async (context) => {
  const { stores, scrape } = await measuredApi(context);
  await addSites(stores);
  await stores.database.db.outbox.create({
    data: { kind: 'SITE', targetId: crypto.randomUUID(), wakeAt: new Date(), createdAt: new Date(Date.now() - 60_000) },
  });
  const told = await scrape();
  expect(told.get('gridcast_database_up')).toBe(1);
  for (const kind of KINDS) expect(told.get(`gridcast_due_rows{kind="${kind}"}`)).toBe(kind === 'SITE' ? 1 : 0);
  expect(told.get('gridcast_oldest_due_seconds{kind="SITE"}')).toBeGreaterThanOrEqual(AGE_SECONDS);
  expect(told.get('gridcast_oldest_due_seconds{kind="STAGING"}')).toBe(0);
  expect(told.get('gridcast_outbox_rows')).toBe(1);
  expect(told.get('gridcast_outbox_oldest_seconds')).toBeGreaterThanOrEqual(60);
  expect(told.get('gridcast_site_age_seconds{site="seen"}')).toBeLessThan(AGE_SECONDS / 2);
  expect(told.get('gridcast_site_age_seconds{site="unseen"}')).toBeGreaterThanOrEqual(AGE_SECONDS);
  const ofSites = [...told].filter(([name]) => name.includes('site="') && !name.includes('age_seconds'));
  expect(Object.fromEntries(ofSites)).toEqual({
    'gridcast_site_fault{site="unseen",code="UNREACHABLE"}': 1,
    'gridcast_site_down{site="seen"}': 0,
    'gridcast_site_down{site="unseen"}': 1,
    'gridcast_site_suspended{site="seen"}': 0,
    'gridcast_site_suspended{site="unseen"}': 1,
  });
});

test('a site that is removed, or well again, leaves no series', async (context) => {
  const { stores, scrape } = await measuredApi(context);
  await addSites(stores);
  const seriesOf = async (site: string) => [...(await scrape()).keys()].filter((name) => name.includes(`"${site}"`));
  expect(await seriesOf('unseen')).toHaveLength(4);
  const { db } = stores.database;
  await db.site.updateMany({ where: { name: 'unseen' }, data: { fault: null } });
  await db.site.updateMany({ where: { name: 'seen' }, data: { removedAt: new Date() } });
  await expect.poll(() => seriesOf('seen'), { timeout: 20_000 }).toEqual([]);
  expect(await seriesOf('unseen')).toHaveLength(3);
});

test.for(['SILENT', 'CUT'] as const)('a database that is %s is told to be away, in time', async (away, context) => {
  const { stores, door, scrape } = await measuredApi(context);
  await addSites(stores);
  expect((await scrape()).get('gridcast_database_up')).toBe(1);
  door.turn(away);
  const isUp = async () => (await scrape()).get('gridcast_database_up');
  await expect.poll(isUp, { timeout: 20_000 }).toBe(0);
  await expect.poll(async () => [...(await scrape()).keys()].filter(ofDatabase), { timeout: 20_000 }).toEqual([]);
  door.turn('OPEN');
  await expect.poll(isUp, { timeout: 30_000 }).toBe(1);
  await expect.poll(async () => (await scrape()).has('gridcast_outbox_rows'), { timeout: 30_000 }).toBe(true);
});

/** What can only be told by a database that is there. */
const ofDatabase = (name: string) => /^gridcast_(executions|due_rows|oldest_due|outbox|site)/.test(name);
