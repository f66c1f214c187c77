import type { EpochSeconds } from '../domain/clock.ts';
import { CO_ALLOCATION_MOVES, type CoAllocationRule, type CoAllocationState } from '../domain/co-allocation.ts';
import { assertMove } from '../domain/state-machine.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { newestFirst, type Page, type PageRequest, toPage } from './pages.ts';
import { assertTurn, type Turn } from './turns.ts';

/** One co-allocation, every moment in epoch seconds. */
export type CoAllocationRow = WithMoments<Prisma.CoAllocationGetPayload<Record<string, never>>>;

/** A joint promise as it is made. Its first turn comes when a leg moves, at the latest at `startAt`. */
export async function createCoAllocation(
  tx: Db,
  promise: {
    tenantId: string;
    requestId: string;
    rule: CoAllocationRule;
    atLeast: number | null;
    startAt: EpochSeconds;
    probability: number;
    promisedProbability: number;
    now: EpochSeconds;
  },
): Promise<CoAllocationRow> {
  const { now, startAt, ...rest } = promise;
  const row = await tx.coAllocation.create({
    data: { ...rest, state: 'PENDING', startAt: toDate(startAt), createdAt: toDate(now), wakeAt: toDate(startAt) },
  });
  await publishChange(tx, { type: 'CO_ALLOCATION', id: row.id, tenantId: row.tenantId });
  return withMoments(row);
}

export async function findCoAllocation(db: Db, id: string): Promise<CoAllocationRow | null> {
  return withMoments(await db.coAllocation.findUnique({ where: { id } }));
}

export async function findCoAllocations(db: Db, ids: readonly string[]): Promise<CoAllocationRow[]> {
  return withMoments(await db.coAllocation.findMany({ where: { id: { in: [...ids] } } }));
}

/** The co-allocations of a tenant, newest first. */
export async function listCoAllocations(
  db: Db,
  filter: { tenantId: string },
  page: PageRequest,
): Promise<Page<CoAllocationRow>> {
  const where: Prisma.CoAllocationWhereInput = { tenantId: filter.tenantId };
  const [rows, totalCount] = await Promise.all([
    db.coAllocation.findMany(newestFirst(where, page)),
    db.coAllocation.count({ where }),
  ]);
  return toPage(withMoments(rows), totalCount, page);
}

/**
 * Decides a co-allocation.
 * @throws StaleTurn when another worker has taken the turn
 */
export async function moveCoAllocation(
  tx: Db,
  turn: Turn,
  group: CoAllocationRow,
  state: CoAllocationState,
  now: EpochSeconds,
): Promise<void> {
  assertMove(`co-allocation ${group.id}`, CO_ALLOCATION_MOVES, group.state, state);
  await assertTurn(tx, turn);
  await tx.coAllocation.update({ where: { id: group.id }, data: { state, decidedAt: toDate(now) } });
  await publishChange(tx, { type: 'CO_ALLOCATION', id: group.id, tenantId: group.tenantId });
}
