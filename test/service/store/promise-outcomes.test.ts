import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { flatRule, type RuleTree } from '../../../src/domain/co-allocation.ts';
import type { Prisma } from '../../../src/generated/prisma/client.ts';
import { listPromiseOutcomes } from '../../../src/store/reservations.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { newSite } from '../new-site.ts';
import { savePastJobs } from '../past-jobs.ts';

const AT = 1_780_000_000;

let stores: TestDatabase;
beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores.drop());

async function group(rule: RuleTree): Promise<string> {
  const { id } = await stores.database.db.coAllocation.create({
    data: {
      tenantId: randomUUID(),
      requestId: 'past',
      rule: rule as unknown as Prisma.InputJsonValue,
      ifLegMissed: 'CANCEL_ALL',
      startAt: new Date(0),
      probability: 0.9,
      promisedProbability: 0.9,
      state: 'SUCCEEDED',
      createdAt: new Date(0),
    },
  });
  return id;
}

test('promises teach how they came out, oldest first; of legs those that their group cannot do without', async () => {
  const { db } = stores.database;
  const siteId = await newSite(db);
  const legs = ['a', 'b'];
  const [both, either] = [await group(flatRule('ALL', null, legs)), await group(flatRule('ANY', null, legs))];
  const promise = (state: 'KEPT' | 'MISSED' | 'CANCELLED', after: number, of: { id?: string; legId?: string } = {}) => {
    const { id: coAllocationId, legId } = of;
    const leg = coAllocationId && legId ? { coAllocationId, legId } : {};
    return { siteId, submittedAt: AT, waitSeconds: 10, promise: { startAt: AT + after, state, ...leg } };
  };
  await savePastJobs(db, [
    promise('MISSED', 400, { id: both, legId: 'b' }),
    promise('KEPT', 100),
    promise('KEPT', 200, { id: either, legId: 'a' }),
    promise('CANCELLED', 200, { id: either, legId: 'b' }),
    promise('KEPT', 300, { id: both, legId: 'a' }),
  ]);
  const outcomes = await listPromiseOutcomes(db, siteId, 10);
  expect(outcomes.map(({ kept }) => kept)).toEqual([true, true, false]);
});
