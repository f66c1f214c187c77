import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureTenant } from '../../../src/store/principals.ts';
import { clearRefusals, noteRefusal } from '../../../src/store/refusals.ts';
import { loadStanding } from '../../../src/store/standing.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';

const NOW = 1_780_000_000;
const HOUR = 3600;

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

/** A tenant at a site that refuses it sizes, one after the other. */
async function refusedSizes(...sizes: readonly (readonly [processors: number, walltimeSeconds: number])[]) {
  const { db } = stores.database;
  const of = { siteId: await newSite(db), tenantId: await ensureTenant(db, randomUUID(), NOW), queue: null };
  for (const [n, [processors, walltimeSeconds]] of sizes.entries()) {
    const said = { scope: 'SIZE' as const, siteSays: 'too much', refusedAt: NOW + n, until: NOW + HOUR };
    await noteRefusal(db, { ...of, processors, walltimeSeconds }, said);
  }
  return of;
}

async function sizesOf(tenantId: string): Promise<number[][]> {
  const { refusals } = await loadStanding(stores.database.db, tenantId, NOW);
  return refusals
    .map(({ processors, walltimeSeconds }) => [processors, walltimeSeconds])
    .sort(([a = 0], [b = 0]) => a - b);
}

test('a size that is as large as no other is refused for itself, and one that is goes', async () => {
  const { tenantId } = await refusedSizes([8, 24 * HOUR], [512, 60]);
  expect(await sizesOf(tenantId)).toEqual([
    [8, 24 * HOUR],
    [512, 60],
  ]);
  const smaller = await refusedSizes([8, 24 * HOUR], [512, 60], [4, 12 * HOUR], [4, 12 * HOUR]);
  expect(await sizesOf(smaller.tenantId)).toEqual([
    [4, 12 * HOUR],
    [512, 60],
  ]);
  await clearRefusals(stores.database.db, { ...smaller, processors: 512, walltimeSeconds: 60 });
  expect(await sizesOf(smaller.tenantId)).toEqual([[4, 12 * HOUR]]);
});

test('of many sizes the newest are kept', async () => {
  const { tenantId } = await refusedSizes(...Array.from({ length: 40 }, (_, n) => [n + 1, 100 - n] as const));
  const kept = await sizesOf(tenantId);
  expect(kept).toHaveLength(32);
  expect(kept[0]).toEqual([9, 92]);
});
