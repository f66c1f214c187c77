import type { EpochSeconds } from '../domain/clock.ts';
import { Prisma, type WakeUpKind } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { ANY, gathered } from './gathered.ts';
import type { TurnTable } from './turns.ts';

/** A wish to have a row advanced at a moment. It carries no state: the row itself says what is to be done. */
export interface WakeUp {
  readonly kind: WakeUpKind;
  readonly targetId: string;
  readonly wakeAt: EpochSeconds;
  /** Id of the request that caused it, for the logs. */
  readonly requestId: string | null;
}

/** Name of the PostgreSQL channel that announces new outbox rows. */
export const OUTBOX_CHANNEL = 'gridcast_outbox';

/** The kind of wake-up that advances rows of a table. */
export const WAKE_UP_KINDS: Readonly<Record<TurnTable, WakeUpKind>> = {
  Execution: 'EXECUTION',
  Site: 'SITE',
  CoAllocation: 'CO_ALLOCATION',
  JobGroup: 'JOB_GROUP',
  BulkCancel: 'BULK_CANCEL',
  Staging: 'STAGING',
};

/**
 * Writes wake-ups into the outbox and the rows' own `wakeAt`, in the caller's transaction, and announces them at its
 * commit.
 */
export async function enqueueWakeUps(tx: Db, wakeUps: readonly WakeUp[]): Promise<void> {
  if (wakeUps.length > 0) await writeWakeUps(tx, wakeUps);
}

const writeWakeUps = gathered(ANY, async (tx, lists: readonly (readonly WakeUp[])[]) => {
  await tx.$executeRaw`
    WITH written AS (
      INSERT INTO "Outbox" ("kind", "targetId", "wakeAt", "requestId", "createdAt")
      SELECT w."kind"::"WakeUpKind", w."targetId"::uuid, to_timestamp(w."wakeAt"), w."requestId", clock_timestamp()
        FROM jsonb_to_recordset(${JSON.stringify(lists.flat())}::jsonb)
          AS w("kind" text, "targetId" text, "wakeAt" float8, "requestId" text)
      RETURNING "id")
    SELECT pg_notify(${OUTBOX_CHANNEL}, '') FROM written LIMIT 1`;
  return lists.map(() => undefined);
});

/**
 * Asks for a turn of a row: sets its `wakeAt` to the given moment and enqueues the wake-up. A row that wants a turn
 * before that anyway has its wake-up already; one that somebody works on gets it when that turn ends.
 */
export function wakeRow(
  tx: Db,
  table: TurnTable,
  id: string,
  wakeAt: EpochSeconds,
  requestId: string | null,
): Promise<void> {
  return wakeRows(tx, { table, id, wakeAt, requestId });
}

interface Wish {
  readonly table: TurnTable;
  readonly id: string;
  readonly wakeAt: EpochSeconds;
  readonly requestId: string | null;
}

/** In the order of their ids, each by the earliest of its wishes. */
const wakeRows = gathered(
  ({ table }: Wish) => table,
  async (tx, wishes): Promise<undefined[]> => {
    const earliest = new Map<string, Wish>();
    for (const wish of wishes.toSorted((one, other) => other.wakeAt - one.wakeAt)) earliest.set(wish.id, wish);
    const [first] = wishes;
    if (!first) return [];
    const name = Prisma.raw(`"${first.table}"`);
    const woken = await tx.$queryRaw<{ id: string; isFree: boolean }[]>`
      WITH wanted AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify([...earliest.values()])}::jsonb)
          AS w("id" uuid, "wakeAt" float8)),
      waiting AS (
        SELECT row."id" FROM wanted JOIN ${name} AS row ON row."id" = wanted."id"
         WHERE row."wakeAt" IS NULL OR row."wakeAt" > to_timestamp(wanted."wakeAt")
         ORDER BY row."id" FOR NO KEY UPDATE OF row)
      UPDATE ${name} AS row SET "wakeAt" = to_timestamp(wanted."wakeAt")
        FROM waiting JOIN wanted ON wanted."id" = waiting."id" WHERE row."id" = waiting."id"
      RETURNING row."id"::text AS "id", row."leaseExpiresAt" IS NULL AS "isFree"`;
    const kind = WAKE_UP_KINDS[first.table];
    const free = woken.flatMap(({ id, isFree }) => (isFree ? [earliest.get(id)] : []));
    await enqueueWakeUps(
      tx,
      free.flatMap((wish) => (wish ? [{ ...wish, kind, targetId: wish.id }] : [])),
    );
    return wishes.map(() => undefined);
  },
);

/**
 * Asks for every execution that may have a job at a site to be cancelled, and for its turn now. The first reason of
 * each stays.
 */
export async function cancelAllAtSite(tx: Db, siteId: string, reason: string, now: EpochSeconds): Promise<void> {
  await tx.$executeRaw`
    WITH there AS (
      SELECT "id" FROM "Execution"
       WHERE "siteId" = ${siteId}::uuid AND "state" IN ('SUBMITTING', 'QUEUED', 'RUNNING')
       ORDER BY "id" FOR NO KEY UPDATE),
    asked AS (
      UPDATE "Execution" e
         SET "cancelRequestedAt" = COALESCE(e."cancelRequestedAt", to_timestamp(${now}::float8)),
             "cancelReason" = COALESCE(e."cancelReason", ${reason}),
             "wakeAt" = LEAST(e."wakeAt", to_timestamp(${now}::float8))
        FROM there t WHERE e."id" = t."id"
      RETURNING e."id", e."wakeAt", e."leaseExpiresAt"),
    written AS (
      INSERT INTO "Outbox" ("kind", "targetId", "wakeAt", "createdAt")
      SELECT 'EXECUTION', "id", "wakeAt", clock_timestamp() FROM asked WHERE "leaseExpiresAt" IS NULL RETURNING 1)
    SELECT pg_notify(${OUTBOX_CHANNEL}, '') FROM written LIMIT 1`;
}

/**
 * Asks for a turn of every execution that waits for its submission to a site, and of every promise that waits in its
 * queue.
 * @param only those of them; all unless told
 */
export async function wakeExecutionsBeforeStart(
  tx: Db,
  siteId: string,
  wakeAt: EpochSeconds,
  only: readonly string[] | null = null,
): Promise<void> {
  const among = only === null ? Prisma.empty : Prisma.sql`AND "id" = ANY(${[...only]}::uuid[])`;
  await tx.$executeRaw`
    WITH waiting AS (
      SELECT "id" FROM "Execution" e
       WHERE "siteId" = ${siteId}::uuid AND ("wakeAt" IS NULL OR "wakeAt" > to_timestamp(${wakeAt}::float8)) ${among}
         AND ("state" = 'HELD' OR ("state" = 'QUEUED' AND EXISTS (
           SELECT 1 FROM "Reservation" r WHERE r."executionId" = e."id" AND r."state" = 'SUBMITTED')))
       ORDER BY "id" FOR NO KEY UPDATE),
    ${wakeWaiting(wakeAt)}`;
}

/** Gives the executions of the table `waiting` their turn then; those that somebody works on get it when that ends. */
function wakeWaiting(wakeAt: EpochSeconds): Prisma.Sql {
  return Prisma.sql`woken AS (
      UPDATE "Execution" e SET "wakeAt" = to_timestamp(${wakeAt}::float8) FROM waiting w WHERE e."id" = w."id"
      RETURNING e."id", e."leaseExpiresAt"),
    written AS (
      INSERT INTO "Outbox" ("kind", "targetId", "wakeAt", "createdAt")
      SELECT 'EXECUTION', "id", to_timestamp(${wakeAt}::float8), clock_timestamp() FROM woken
       WHERE "leaseExpiresAt" IS NULL RETURNING 1)
    SELECT pg_notify(${OUTBOX_CHANNEL}, '') FROM written LIMIT 1`;
}

/** Asks for a turn of every execution that comes after one that ends, in the transaction that writes that end. */
export async function wakeSuccessors(tx: Db, predecessorId: string, wakeAt: EpochSeconds): Promise<void> {
  await wakeSuccessorsOf(tx, { predecessorId, wakeAt });
}

/** Of several that end at about the same moment, by the last of these. */
const wakeSuccessorsOf = gathered(
  ANY,
  async (tx, ended: readonly { readonly predecessorId: string; readonly wakeAt: EpochSeconds }[]) => {
    const ids = ended.map(({ predecessorId }) => predecessorId);
    const successors = Prisma.sql`SELECT "executionId" FROM "Dependency" WHERE "predecessorId" = ANY(${ids}::uuid[])`;
    await wakeOpen(tx, successors, Math.max(...ended.map(({ wakeAt }) => wakeAt)));
    return ended.map(() => undefined);
  },
);

/** The same of every execution that comes after a group. */
export async function wakeGroupSuccessors(tx: Db, groupId: string, wakeAt: EpochSeconds): Promise<void> {
  await wakeOpen(
    tx,
    Prisma.sql`SELECT "executionId" FROM "GroupDependency" WHERE "groupId" = ${groupId}::uuid`,
    wakeAt,
  );
}

async function wakeOpen(tx: Db, ids: Prisma.Sql, wakeAt: EpochSeconds): Promise<void> {
  await tx.$executeRaw`
    WITH waiting AS (
      SELECT "id" FROM "Execution" e
       WHERE "state" <> 'ENDED' AND ("wakeAt" IS NULL OR "wakeAt" > to_timestamp(${wakeAt}::float8)) AND "id" IN (${ids})
       ORDER BY "id" FOR NO KEY UPDATE),
    ${wakeWaiting(wakeAt)}`;
}

/**
 * Takes up to `limit` wake-ups out of the outbox, oldest first. They are gone when the transaction commits, so the
 * caller hands them to the queue inside it. Several workers may call at once and never get the same row.
 */
export async function takeWakeUps(tx: Db, limit: number): Promise<WakeUp[]> {
  return tx.$queryRaw<WakeUp[]>`
    DELETE FROM "Outbox" WHERE "id" IN (SELECT "id" FROM "Outbox" ORDER BY "id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED)
    RETURNING "kind"::text AS "kind", "targetId"::text AS "targetId",
              extract(epoch FROM "wakeAt")::float8 AS "wakeAt", "requestId"`;
}

/**
 * Rows that nobody works on although they should: the queue lost their wake-up, which is overdue, or the worker that
 * had their turn let its lease run out. Read by the sweeper.
 * @param overdueSince rows that wanted to be woken before that moment
 */
export async function findOverdueWakeUps(
  db: Db,
  overdueSince: EpochSeconds,
  limit: number,
): Promise<(WakeUp & { version: number })[]> {
  const found = await Promise.all(
    (Object.keys(WAKE_UP_KINDS) as TurnTable[]).map(
      (table) => db.$queryRaw<(WakeUp & { version: number })[]>`
        SELECT ${WAKE_UP_KINDS[table]} AS "kind", "id"::text AS "targetId",
               extract(epoch FROM COALESCE("wakeAt", "leaseExpiresAt"))::float8 AS "wakeAt", NULL AS "requestId", "version"
          FROM ${Prisma.raw(`"${table}"`)}
         WHERE "leaseExpiresAt" < clock_timestamp()
            OR ("leaseExpiresAt" IS NULL AND "wakeAt" < to_timestamp(${overdueSince}::float8))
         ORDER BY "wakeAt" LIMIT ${limit}::int`,
    ),
  );
  return found.flat();
}
