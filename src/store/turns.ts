import { type EpochSeconds } from '../domain/clock.ts';
import { StaleTurn } from '../domain/failures.ts';
import { Prisma, type WakeUpKind } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { ANY, gathered, PACE_MILLISECONDS } from './gathered.ts';

/** The tables whose rows are advanced by workers, one turn at a time. */
export type TurnTable = 'Execution' | 'Site' | 'CoAllocation' | 'JobGroup' | 'BulkCancel' | 'Staging';

/**
 * How long a turn may last without a word, and the number of the process that takes it (see `Presence`), if it has one.
 */
export interface Lease {
  readonly milliseconds: number;
  readonly holder: number | null;
}

/** The right to write a row until its lease runs out. Whoever claims the row later makes every older turn stale. */
export interface Turn {
  readonly table: TurnTable;
  readonly id: string;
  readonly version: number;
  /** When the row wanted its next turn before this one was claimed. */
  readonly wakeAt: EpochSeconds | null;
}

/**
 * Takes the next turn at a row unless another worker holds a live lease on it; null then, or when there is no such row.
 * Leases run on PostgreSQL's wall clock, whatever the service's clock does. The row wants no other turn from now on, so
 * that one asked for meanwhile is still there when this one ends; a worker that dies leaves its lease, by which the
 * sweeper finds the row.
 */
export function claimTurn(db: Db, table: TurnTable, id: string, lease: Lease): Promise<Turn | null> {
  return claim(db, { table, id, lease, dueAt: null });
}

/**
 * Takes the turn that a row wants by now, or that a worker has let run out. Null for a row that wants none yet,
 * whatever woke it, so that a wake-up that is early, outdated or comes twice moves nothing.
 */
export function claimDueTurn(
  db: Db,
  table: TurnTable,
  id: string,
  lease: Lease,
  now: EpochSeconds,
): Promise<Turn | null> {
  return claim(db, { table, id, lease, dueAt: now });
}

/**
 * When a row wants its next turn; null when it wants none, or a worker has it, who will ask for the next one at its
 * end.
 */
export function findWakeAt(db: Db, table: TurnTable, id: string): Promise<EpochSeconds | null> {
  return findWakeAts(db, { table, id });
}

const findWakeAts = gathered(
  ({ table }: { readonly table: TurnTable; readonly id: string }) => table,
  async (db, wanted): Promise<(EpochSeconds | null)[]> => {
    const name = Prisma.raw(`"${wanted[0]?.table}"`);
    const rows = await db.$queryRaw<{ id: string; wakeAt: number | null }[]>`
      SELECT "id"::text AS "id", extract(epoch FROM "wakeAt")::float8 AS "wakeAt" FROM ${name}
       WHERE "id" = ANY(${wanted.map(({ id }) => id)}::uuid[]) AND "leaseExpiresAt" IS NULL`;
    const moments = new Map(rows.map(({ id, wakeAt }) => [id, wakeAt]));
    return wanted.map(({ id }) => moments.get(id) ?? null);
  },
);

/** A wish for a turn of a row. */
interface Claim {
  readonly table: TurnTable;
  readonly id: string;
  readonly lease: Lease;
  /** By when the row must want a turn; null for a row that may want none. */
  readonly dueAt: EpochSeconds | null;
}

/** The turns that are given of rows of one table, under one lease. Of two claims of a row the first may get it. */
const claim = gathered(
  ({ table, lease: { milliseconds, holder } }: Claim) => `${table} ${milliseconds} ${holder}`,
  async (db, claims): Promise<(Turn | null)[]> => {
    const byId = new Map(claims.toReversed().map((one) => [one.id, one]));
    const wanted = Array.from(byId.values(), ({ id, dueAt }) => ({ id, dueAt }));
    const turns = new Map<Claim | undefined, Turn>();
    const [first] = claims;
    if (!first) return [];
    const { table, lease } = first;
    const name = Prisma.raw(`"${table}"`);
    const rows = await db.$queryRaw<{ id: string; version: number; wakeAt: number | null }[]>`
      WITH wanted AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w("id" uuid, "dueAt" float8)),
      before AS (
        SELECT row."id", row."wakeAt" FROM wanted JOIN ${name} AS row ON row."id" = wanted."id"
         WHERE row."leaseExpiresAt" < clock_timestamp()
            OR (row."leaseExpiresAt" IS NULL AND (wanted."dueAt" IS NULL OR row."wakeAt" <= to_timestamp(wanted."dueAt")))
         ORDER BY row."id" FOR NO KEY UPDATE OF row)
      UPDATE ${name} AS row
         SET "version" = row."version" + 1, "wakeAt" = NULL,
             "leaseExpiresAt" = clock_timestamp() + ${lease.milliseconds}::int * interval '1 millisecond',
             "leaseHolder" = ${lease.holder}::int
        FROM before WHERE row."id" = before."id"
      RETURNING row."id"::text AS "id", row."version", extract(epoch FROM before."wakeAt")::float8 AS "wakeAt"`;
    for (const row of rows) turns.set(byId.get(row.id), { table, ...row });
    return claims.map((one) => turns.get(one) ?? null);
  },
  { paceMilliseconds: PACE_MILLISECONDS },
);

/** A row as it was read, without a turn, and when it is to have its next one. */
export interface SeenRow {
  readonly id: string;
  readonly version: number;
  /** When it then wanted its next turn. */
  readonly wakeAt: EpochSeconds;
  readonly nextWakeAt: EpochSeconds;
}

/**
 * Takes and ends a turn of each of many rows at once, for what was decided of them away from their turns. Rows that
 * somebody has turned to since they were read, or wants to have their turn at another moment, get none. Returns the ids
 * of the others, whose wake-ups are the caller's to write. The caller has locked the rows in the order of their ids.
 */
export async function passTurns(tx: Db, table: TurnTable, rows: readonly SeenRow[]): Promise<string[]> {
  const name = Prisma.raw(`"${table}"`);
  const seen = rows.map(({ id, version, wakeAt, nextWakeAt }) => ({ id, version, wakeAt, nextWakeAt }));
  const passed = await tx.$queryRaw<{ id: string }[]>`
    WITH seen AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(seen)}::jsonb)
        AS s("id" uuid, "version" int, "wakeAt" float8, "nextWakeAt" float8))
    UPDATE ${name} AS row SET "version" = row."version" + 1, "wakeAt" = to_timestamp(s."nextWakeAt")
      FROM seen s
     WHERE row."id" = s."id" AND row."version" = s."version" AND row."wakeAt" = to_timestamp(s."wakeAt")
       AND row."leaseExpiresAt" IS NULL
    RETURNING row."id"::text AS "id"`;
  return passed.map(({ id }) => id);
}

/**
 * Gives the turn back and says when the row wants its next one, unless somebody has asked for an earlier one meanwhile.
 * Returns when it is to be woken by that; null for not at all.
 * @throws StaleTurn when another worker has claimed the row meanwhile; the caller's transaction must roll back
 */
export async function releaseTurn(tx: Db, turn: Turn, wakeAt: EpochSeconds | null): Promise<EpochSeconds | null> {
  const released = await tx.$queryRaw<{ wakeAt: number | null }[]>`
    UPDATE ${Prisma.raw(`"${turn.table}"`)}
       SET "leaseExpiresAt" = NULL, "wakeAt" = LEAST("wakeAt", to_timestamp(${wakeAt}::float8))
     WHERE "id" = ${turn.id}::uuid AND "version" = ${turn.version}
    RETURNING extract(epoch FROM "wakeAt")::float8 AS "wakeAt"`;
  if (!released[0]) throw new StaleTurn(`${turn.table} ${turn.id}`);
  return released[0].wakeAt;
}

/**
 * Fails unless the turn is still the newest; locks the row until the transaction ends.
 * @throws StaleTurn when another worker has claimed the row meanwhile
 */
export async function assertTurn(tx: Db, turn: Turn): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM ${Prisma.raw(`"${turn.table}"`)} WHERE "id" = ${turn.id}::uuid AND "version" = ${turn.version} FOR NO KEY UPDATE`;
  if (rows.length === 0) throw new StaleTurn(`${turn.table} ${turn.id}`);
}

/**
 * Fails where a change of the row, bound to the turn's version, changed none.
 * @throws StaleTurn when another worker has claimed the row meanwhile
 */
export function assertChanged({ table, id }: Turn, count: number): void {
  if (count === 0) throw new StaleTurn(`${table} ${id}`);
}

/** The processes that have turns. */
export async function listLeaseHolders(db: Db): Promise<number[]> {
  const found = await Promise.all(
    TURN_TABLES.map(
      (table) => db.$queryRaw<{ holder: number }[]>`
        SELECT DISTINCT "leaseHolder" AS "holder" FROM ${Prisma.raw(`"${table}"`)}
         WHERE "leaseExpiresAt" > clock_timestamp() AND "leaseHolder" IS NOT NULL`,
    ),
  );
  return [...new Set(found.flat().map(({ holder }) => holder))];
}

/**
 * Lets the leases of processes that are gone run out now, so that others take their turns. Returns how many there were.
 */
export async function endLeasesOf(db: Db, holders: readonly number[]): Promise<number> {
  if (holders.length === 0) return 0;
  const ended = await Promise.all(
    TURN_TABLES.map(
      (table) => db.$executeRaw`
        WITH held AS (
          SELECT "id" FROM ${Prisma.raw(`"${table}"`)}
           WHERE "leaseHolder" = ANY(${[...holders]}::int[]) AND "leaseExpiresAt" > clock_timestamp()
           ORDER BY "id" FOR NO KEY UPDATE)
        UPDATE ${Prisma.raw(`"${table}"`)} AS row SET "leaseExpiresAt" = clock_timestamp() - interval '1 millisecond'
          FROM held WHERE row."id" = held."id"`,
    ),
  );
  return ended.reduce((sum, count) => sum + count, 0);
}

/** Keeps a turn that takes long. False when another worker has claimed the row meanwhile. */
export async function renewTurn(db: Db, turn: Turn, leaseMilliseconds: number): Promise<boolean> {
  const renewed = await db.$executeRaw`
    UPDATE ${Prisma.raw(`"${turn.table}"`)}
       SET "leaseExpiresAt" = clock_timestamp() + ${leaseMilliseconds}::int * interval '1 millisecond'
     WHERE "id" = ${turn.id}::uuid AND "version" = ${turn.version} AND "leaseExpiresAt" IS NOT NULL`;
  return renewed === 1;
}

/** Whose turn a wake-up is about. */
interface Claimant {
  readonly tenantId: string;
  readonly siteId: string | null;
  readonly isUrgent: boolean;
}

/**
 * Whose turn a wake-up is about, at which site, and whether it is urgent: a promise, a submission in doubt, a job
 * that a site has and that is not wanted any more. Null when there is no such row.
 */
export async function findClaimant(db: Db, kind: Exclude<WakeUpKind, 'SITE'>, id: string): Promise<Claimant | null> {
  if (kind === 'STAGING') {
    const staging = await db.staging.findUnique({ where: { id }, select: { tenantId: true, siteId: true } });
    return staging && { ...staging, isUrgent: false };
  }
  if (kind !== 'EXECUTION') {
    const group = await findTenant(db, kind, id);
    return group && { tenantId: group.tenantId, siteId: null, isUrgent: kind === 'CO_ALLOCATION' };
  }
  return findExecutionClaimant(db, id);
}

const findExecutionClaimant = gathered(ANY, async (db, ids: readonly string[]): Promise<(Claimant | null)[]> => {
  const rows = await db.$queryRaw<(Claimant & { id: string })[]>`
    SELECT e."id"::text AS "id", e."tenantId"::text AS "tenantId",
           CASE WHEN e."state" <> 'ENDED' THEN e."siteId"::text END AS "siteId",
           e."state" = 'SUBMITTING' OR (e."state" IN ('QUEUED', 'RUNNING') AND e."cancelRequestedAt" IS NOT NULL)
             OR EXISTS (SELECT 1 FROM "Reservation" r WHERE r."executionId" = e."id") AS "isUrgent"
      FROM "Execution" e WHERE e."id" = ANY(${[...ids]}::uuid[])`;
  const byId = new Map(rows.map(({ id, ...claimant }) => [id, claimant]));
  return ids.map((id) => byId.get(id) ?? null);
});

function findTenant(
  db: Db,
  kind: Exclude<WakeUpKind, 'SITE' | 'EXECUTION' | 'STAGING'>,
  id: string,
): Promise<{ tenantId: string } | null> {
  const which = { where: { id }, select: { tenantId: true } } as const;
  if (kind === 'CO_ALLOCATION') return db.coAllocation.findUnique(which);
  return kind === 'JOB_GROUP' ? db.jobGroup.findUnique(which) : db.bulkCancel.findUnique(which);
}

const TURN_TABLES: readonly TurnTable[] = ['Execution', 'Site', 'CoAllocation', 'JobGroup', 'BulkCancel', 'Staging'];
