import { expect, test } from 'vitest';
import { StatementCounts, statementKind } from '../../../src/store/statements.ts';

test.each([
  ['SELECT "public"."Site"."id" FROM "public"."Site" WHERE 1=1', 'SELECT Site'],
  ['INSERT INTO "public"."Forecast" ("id") VALUES ($1)', 'INSERT Forecast'],
  ['UPDATE "public"."Execution" SET "state" = $1', 'UPDATE Execution'],
  ['WITH b AS (SELECT 1 FROM "Site" FOR UPDATE SKIP LOCKED) DELETE FROM "Outbox" WHERE "id" = $1', 'DELETE Outbox'],
  ['WITH w AS (INSERT INTO "Outbox" ("kind") VALUES ($1)) SELECT pg_notify($2, \'\')', 'INSERT Outbox'],
  ['SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload', 'NOTIFY'],
  ['SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 1))', 'LOCK'],
  ['-- Claim the next job.\n-- Params: $1.\nSELECT * FROM move_to_active($1, $2)', 'SELECT move_to_active'],
  ['BEGIN', 'BEGIN'],
  ['', 'OTHER'],
])('%s is %s', (text, kind) => {
  expect(statementKind(text)).toBe(kind);
});

test('statements are counted by what they do', () => {
  const counts = new StatementCounts();
  for (const text of ['COMMIT', 'COMMIT', 'SELECT 1 FROM "Site"']) counts.add(text);
  expect(Object.fromEntries(counts.entries())).toEqual({ COMMIT: 2, 'SELECT Site': 1 });
});
