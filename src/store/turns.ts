import { type EpochSeconds } from '../domain/clock.ts';
import { StaleTurn } from '../domain/failures.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';

/** The tables whose rows are advanced by workers, one turn at a time. */
export type TurnTable = 'Execution' | 'Site' | 'CoAllocation';

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
 * Leases run on PostgreSQL's wall clock, whatever the service's clock does. The row wants no other turn from now on, so that one
 * asked for meanwhile is still there when this one ends; a worker that dies leaves its lease, by which the sweeper finds the row.
 */
export async function claimTurn(db: Db, table: TurnTable, id: string, leaseMilliseconds: number): Promise<Turn | null> {
  const name = Prisma.raw(`"${table}"`);
  const rows = await db.$queryRaw<{ version: number; wakeAt: number | null }[]>`
    WITH before AS (
      SELECT "id", "wakeAt" FROM ${name}
       WHERE "id" = ${id}::uuid AND ("leaseExpiresAt" IS NULL OR "leaseExpiresAt" < clock_timestamp()) FOR UPDATE)
    UPDATE ${name} AS row
       SET "version" = row."version" + 1, "wakeAt" = NULL,
           "leaseExpiresAt" = clock_timestamp() + ${leaseMilliseconds}::int * interval '1 millisecond'
      FROM before WHERE row."id" = before."id"
    RETURNING row."version", extract(epoch FROM before."wakeAt")::float8 AS "wakeAt"`;
  return rows[0] ? { table, id, ...rows[0] } : null;
}

/**
 * Gives the turn back and says when the row wants its next one, unless somebody has asked for an earlier one meanwhile.
 * @throws StaleTurn when another worker has claimed the row meanwhile; the caller's transaction must roll back
 */
export async function releaseTurn(tx: Db, turn: Turn, wakeAt: EpochSeconds | null): Promise<void> {
  const released = await tx.$executeRaw`
    UPDATE ${Prisma.raw(`"${turn.table}"`)}
       SET "leaseExpiresAt" = NULL, "wakeAt" = LEAST("wakeAt", to_timestamp(${wakeAt}::float8))
     WHERE "id" = ${turn.id}::uuid AND "version" = ${turn.version}`;
  if (released === 0) throw new StaleTurn(`${turn.table} ${turn.id}`);
}

/**
 * Fails unless the turn is still the newest; locks the row until the transaction ends.
 * @throws StaleTurn when another worker has claimed the row meanwhile
 */
export async function assertTurn(tx: Db, turn: Turn): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM ${Prisma.raw(`"${turn.table}"`)} WHERE "id" = ${turn.id}::uuid AND "version" = ${turn.version} FOR UPDATE`;
  if (rows.length === 0) throw new StaleTurn(`${turn.table} ${turn.id}`);
}
