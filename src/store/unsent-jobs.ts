import type { EpochSeconds } from '../domain/clock.ts';
import { CANCELLED_BY_CALLER } from '../domain/execution.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChanges } from './events.ts';
import { wakeGroupOfEnded } from './execution-changes.ts';
import { wakeSuccessors } from './outbox.ts';
import { withSuccessors } from './tasks.ts';

/**
 * Executions `e` of which no site knows, and whose end books nothing: none was ever handed in, promised, or held back
 * before others, no file is moved for them, and nobody has a turn of them.
 */
const UNSENT = Prisma.sql`e."state" IN ('REQUESTED', 'HELD') AND e."attempts" = 0 AND e."failedTries" = 0
  AND e."leaseExpiresAt" IS NULL AND e."soughtSince" IS NULL AND e."heldBackSince" IS NULL AND e."staging" IS NULL
  AND e."promisedFinishProbability" IS NULL
  AND NOT EXISTS (SELECT 1 FROM "Reservation" r WHERE r."executionId" = e."id")`;

/**
 * Ends those of locked executions that are not wanted any more and were never handed in, and books that: as the turn of
 * each would do it, by few statements for all. Their turns until then are outdated. Returns how many there were.
 */
export async function endUnsent(
  tx: Db,
  ids: readonly string[],
  wantedAt: EpochSeconds,
  now: EpochSeconds,
): Promise<number> {
  const ended = await tx.$queryRaw<{ id: string; tenantId: string; groupId: string | null }[]>`
    UPDATE "Execution" e
       SET "state" = 'ENDED', "outcome" = 'CANCELLED',
           "cancelRequestedAt" = COALESCE(e."cancelRequestedAt", to_timestamp(${wantedAt}::float8)),
           "cancelReason" = COALESCE(e."cancelReason", ${CANCELLED_BY_CALLER}),
           "reason" = COALESCE(e."cancelReason", ${CANCELLED_BY_CALLER}),
           "endedAt" = to_timestamp(${now}::float8), "settledAt" = to_timestamp(${now}::float8),
           "updatedAt" = to_timestamp(${now}::float8), "wakeAt" = NULL, "version" = e."version" + 1
     WHERE e."id" = ANY(${[...ids]}::uuid[]) AND ${UNSENT}
    RETURNING e."id"::text AS "id", e."tenantId"::text AS "tenantId", e."groupId"::text AS "groupId"`;
  if (ended.length === 0) return 0;
  const endedIds = ended.map(({ id }) => id);
  await Promise.all((await withSuccessors(tx, endedIds)).map((id) => wakeSuccessors(tx, id, now)));
  const groupIds = new Set(ended.flatMap(({ groupId }) => groupId ?? []));
  await Promise.all(Array.from(groupIds, (groupId) => wakeGroupOfEnded(tx, groupId, now)));
  await publishChanges(
    tx,
    ended.map(({ id, tenantId }) => ({ type: 'EXECUTION', id, tenantId })),
  );
  return ended.length;
}
