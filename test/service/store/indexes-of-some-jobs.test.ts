import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let base: TestDatabase;
beforeAll(async () => {
  base = await createTestDatabase();
});
afterAll(() => base?.drop());

const ID = "'00000000-0000-7000-8000-000000000000'::uuid";

/** What is asked of jobs, by the index that holds only those which may be meant. */
test.each([
  ['Execution_tenantId_outcome_createdAt_idx', `"tenantId" = ${ID} AND "outcome" IN ('FAILED', 'TIMEOUT')`],
  ['Execution_tenantId_endedAt_idx', `"tenantId" = ${ID} AND "endedAt" >= now()`],
  ['Execution_tenantId_idempotencyKey_idx', `"tenantId" = ${ID} AND "idempotencyKey" = 'once'`],
  ['Execution_groupId_state_outcome_idx', `"groupId" = ${ID} ORDER BY "state", "outcome"`],
  ['Execution_groupId_taskIndex_idx', `"groupId" = ${ID} AND "taskIndex" > 7`],
  ['Execution_wakeAt_idx', '"leaseExpiresAt" < now() OR ("leaseExpiresAt" IS NULL AND "wakeAt" < now())'],
  ['Execution_leaseExpiresAt_idx', '"leaseExpiresAt" < now() OR ("leaseExpiresAt" IS NULL AND "wakeAt" < now())'],
  ['Execution_deadlineAt_idx', '"deadlineAt" <= now() AND "deadlineMissedAt" IS NULL'],
  ['Execution_heldBackBehindId_idx', `"heldBackBehindId" = ${ID}`],
  ['Execution_siteId_state_submitAt_idx', `"siteId" = ${ID} AND "state" = 'HELD'`],
])('%s is used where %s', async (index, condition) => {
  const plan = await base.database.transaction(async (tx) => {
    await tx.$executeRawUnsafe('SET LOCAL enable_seqscan = off');
    return tx.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN SELECT FROM "Execution" WHERE ${condition}`);
  });
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
});

test('a job that asks for nothing special is in few of them', async () => {
  const [{ whole } = { whole: Number.NaN }] = await base.database.db.$queryRaw<{ whole: number }[]>`
    SELECT count(*)::int AS "whole" FROM pg_index WHERE "indrelid" = '"Execution"'::regclass AND "indpred" IS NULL`;
  expect(whole).toBeLessThanOrEqual(6);
});
