import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flatRule } from '../../../src/domain/co-allocation.ts';
import { MOST_THREADS, processOf } from '../../../src/domain/ownership.ts';
import { createForecaster } from '../../../src/forecast/create-forecaster.ts';
import type { Forecaster } from '../../../src/forecast/forecaster.ts';
import { startThread } from '../../../src/forecast/start-thread.ts';
import { simulatedRecords } from '../../simulated-records.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { askOf, createToldSite } from './learned-site.ts';

const PROCESSORS = 64;
const RECORDS = simulatedRecords(500, PROCESSORS);
const NOW = RECORDS.at(-1)?.submitAt ?? 0;
const PATIENCE_MILLISECONDS = 60_000;

let stores: TestDatabase;
let siteIds: string[];
const opened: Forecaster[] = [];
beforeAll(async () => {
  stores = await createTestDatabase();
  siteIds = [];
  for (let i = 0; i < 3; i++) {
    const site = await createToldSite(stores, `site-${i}`, RECORDS.slice(100 * i), PROCESSORS);
    await site.tell(NOW);
    siteIds.push(site.id);
    // As if it had been learned before, and dearly.
    await stores.database.db.$executeRaw`
      INSERT INTO "SiteOwner" ("siteId", "epoch", "until", "costSeconds") VALUES (${site.id}::uuid, 1, now(), 60)`;
  }
});
afterAll(async () => {
  await Promise.all(opened.map((forecaster) => forecaster.close()));
  await stores.drop();
});

function started(threads: number): Forecaster {
  const options = {
    databaseUrl: stores.url,
    predictor: 'wait/gridcast',
    alsoScored: [],
    freshMilliseconds: 0,
    threads,
  };
  const forecaster = createForecaster(options, (error) => {
    throw error;
  });
  opened.push(forecaster);
  return forecaster;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MILLISECONDS;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`not within ${PATIENCE_MILLISECONDS} ms: ${what}`);
    await sleep(100);
  }
}

/** The owners of the three sites. */
async function owners(): Promise<(number | null)[]> {
  const rows = await stores.database.db.siteOwner.findMany({ select: { ownerId: true } });
  return rows.map(({ ownerId }) => ownerId);
}

function jointly(forecaster: Forecaster) {
  const leg = {
    ...{ queue: null, user: null, processors: 8, walltimeSeconds: 3600, startAt: NOW + 7200, windowOpensAt: null },
    ...{ mode: 'HOLD' as const, probability: null, margin: 0, maxChargeProcessorSeconds: null },
    ...{ maxWalltimeSeconds: null, now: NOW },
  };
  const promisable = Array.from({ length: 100 }, (_, percent) => percent / 100);
  return forecaster.offerCoAllocation({
    candidates: siteIds.map((siteId, i) => ({ partId: `part-${i}`, siteId, leg, promisable })),
    rule: flatRule(
      'ALL',
      null,
      siteIds.map((_, i) => `part-${i}`),
    ),
    probability: 0.1,
    minimumPessimisticProbability: null,
    mostSitesPerPart: 1,
    now: NOW,
  });
}

test('three threads share the sites of a process and answer as one does', { timeout: 120_000 }, async () => {
  const many = started(3);
  await until('each thread owns a site', async () => {
    const ids = await owners();
    return (
      ids.every((id) => id !== null) &&
      new Set(ids).size === 3 &&
      new Set(ids.map((id) => processOf(id ?? 0))).size === 1
    );
  });
  for (const siteId of siteIds) await until('it is learned', async () => !(await many.stateOf(siteId)).isLearning);
  expect((await many.state()).map(({ siteId }) => siteId).sort()).toEqual(siteIds.toSorted());
  await until(
    'checkpoints',
    async () => (await stores.database.db.checkpoint.groupBy({ by: ['siteId'] })).length === 3,
  );
  const said = await Promise.all(siteIds.map((siteId) => askOf(many, siteId, NOW)));
  const joint = await jointly(many);
  expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(3);
  const one = started(1);
  for (const [i, siteId] of siteIds.entries()) expect(await askOf(one, siteId, NOW)).toEqual(said[i]);
  expect(await jointly(one)).toEqual(joint);
});

test('a thread that dies is told of, once, and is not waited for at the end', { timeout: 60_000 }, async () => {
  const faults: string[] = [];
  const options = { databaseUrl: stores.url, predictor: 'wait/nobody', alsoScored: [], freshMilliseconds: 0 };
  const threadId = MOST_THREADS * 4711 + 1;
  const thread = startThread(
    { ...options, threadId },
    { tellCosts: () => undefined, warn: () => undefined },
    ({ message }) => {
      faults.push(message);
    },
  );
  await thread.lookAfter(siteIds.map((siteId) => [siteId, 1]));
  await until('it looks at its sites', async () => faults.length > 0);
  const endedAt = performance.now();
  await thread.end();
  expect(performance.now() - endedAt).toBeLessThan(10_000);
  expect(faults).toEqual([expect.stringContaining('wait/nobody')]);
});
