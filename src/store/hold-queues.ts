import type { EpochSeconds } from '../domain/clock.ts';
import type { HoldQueue } from '../domain/hold-queue.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChanges } from './events.ts';
import { enqueueWakeUps, wakeRow } from './outbox.ts';

/** What is held back now; one that was handed to its site is not any more, whatever became of it there. */
function isHeldBack(now: EpochSeconds): Prisma.Sql {
  return Prisma.sql`e."state" = 'HELD' AND e."heldBackSince" IS NOT NULL AND e."attempts" = 0
    AND e."submitAt" > to_timestamp(${now}::float8)`;
}

interface HeldRow {
  readonly siteId: string;
  readonly id: string;
  readonly behindId: string | null;
  readonly arrivedAt: number;
  readonly submitAt: number;
}

/**
 * Whom a tenant has held back at each site where there is anybody. Where the head has gone, the last stands for it.
 * @param siteIds the sites; all unless told
 */
export async function findHoldQueues(
  db: Db,
  tenantId: string,
  now: EpochSeconds,
  siteIds: readonly string[] | null = null,
): Promise<Map<string, HoldQueue>> {
  const among = siteIds === null ? Prisma.empty : Prisma.sql`AND e."siteId" = ANY(${[...siteIds]}::uuid[])`;
  const rows = await db.$queryRaw<HeldRow[]>`
    SELECT e."siteId"::text AS "siteId", e."id"::text AS "id", e."heldBackBehindId"::text AS "behindId",
           extract(epoch FROM e."heldBackSince")::float8 AS "arrivedAt",
           extract(epoch FROM e."submitAt")::float8 AS "submitAt"
      FROM "Execution" e
     WHERE e."tenantId" = ${tenantId}::uuid AND ${isHeldBack(now)} ${among}
     ORDER BY e."submitAt", e."heldBackSince", e."id"`;
  const bySite = new Map<string, HeldRow[]>();
  for (const row of rows) bySite.set(row.siteId, [...(bySite.get(row.siteId) ?? []), row]);
  return new Map(Array.from(bySite, ([siteId, held]) => [siteId, queueOf(held)]));
}

function queueOf(rows: readonly HeldRow[]): HoldQueue {
  const last = rows.at(-1) as HeldRow;
  const head = rows.find(({ behindId }) => behindId === null);
  const gone = { arrivedAt: last.arrivedAt, submitAt: Number.NEGATIVE_INFINITY };
  return { headId: head?.id ?? last.behindId ?? last.id, head: head ?? gone, last, jobs: rows.length };
}

/**
 * Lets everybody who is held back behind an execution go so much sooner, not before now, in the caller's transaction,
 * which has the assignments of the site locked.
 */
export async function moveUpBehind(tx: Db, headId: string, seconds: number, now: EpochSeconds): Promise<void> {
  const moved = await tx.$queryRaw<{ id: string; tenantId: string; wakeAt: number; isFree: boolean }[]>`
    WITH behind AS (
      SELECT e."id", GREATEST(to_timestamp(${now}::float8),
                              e."submitAt" - ${seconds}::float8 * interval '1 second') AS "submitAt"
        FROM "Execution" e
       WHERE e."heldBackBehindId" = ${headId}::uuid AND ${isHeldBack(now)}
       ORDER BY e."id" FOR NO KEY UPDATE)
    UPDATE "Execution" e SET "submitAt" = b."submitAt", "wakeAt" = LEAST(e."wakeAt", b."submitAt")
      FROM behind b WHERE e."id" = b."id"
    RETURNING e."id"::text AS "id", e."tenantId"::text AS "tenantId", e."leaseExpiresAt" IS NULL AS "isFree",
              extract(epoch FROM e."wakeAt")::float8 AS "wakeAt"`;
  const free = moved.filter(({ isFree }) => isFree);
  const wakeUps = free.map(({ id, wakeAt }) => ({ kind: 'EXECUTION', targetId: id, wakeAt, requestId: null }) as const);
  await enqueueWakeUps(tx, wakeUps);
  await publishChanges(
    tx,
    moved.map(({ id, tenantId }) => ({ type: 'EXECUTION', id, tenantId })),
  );
}

/**
 * Notes that a job is not to be held back any longer and, before its submission, asks for its turn now: the step that
 * follows lets it go and moves up those behind it.
 */
export async function letGoNow(
  tx: Db,
  { id, tenantId }: { readonly id: string; readonly tenantId: string },
  now: EpochSeconds,
  requestId: string,
): Promise<void> {
  const before = await tx.$queryRaw<{ isBefore: boolean }[]>`
    UPDATE "Execution" SET "maxDelaySeconds" = 0, "avoidIoBurstsSeconds" = 0 WHERE "id" = ${id}::uuid
    RETURNING "state" IN ('REQUESTED', 'HELD') AS "isBefore"`;
  if (!before[0]?.isBefore) return;
  await wakeRow(tx, 'Execution', id, now, requestId);
  await publishChanges(tx, [{ type: 'EXECUTION', id, tenantId }]);
}
