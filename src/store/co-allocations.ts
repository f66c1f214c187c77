import type { EpochSeconds } from '../domain/clock.ts';
import {
  CO_ALLOCATION_MOVES,
  type CoAllocationState,
  type LegMissPolicy,
  type RuleGroup,
} from '../domain/co-allocation.ts';
import { assertMove } from '../domain/state-machine.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { newestFirst, type Page, type PageRequest, toPage } from './pages.ts';
import { assertTurn, type Turn } from './turns.ts';

/** One co-allocation, every moment in epoch seconds. */
export type CoAllocationRow = Omit<StoredRow, 'rule'> & { readonly rule: RuleGroup };

type StoredRow = WithMoments<Prisma.CoAllocationGetPayload<Record<string, never>>>;

/** A joint promise as it is made. Its first turn comes when a leg moves, at the latest at `startAt`. */
export async function createCoAllocation(
  tx: Db,
  promise: {
    tenantId: string;
    requestId: string;
    rule: RuleGroup;
    ifLegMissed: LegMissPolicy;
    startAt: EpochSeconds;
    probability: number;
    promisedProbability: number;
    /** What dependence between its sites would leave of that in the worst case. */
    pessimisticProbability: number;
    /** How much that rests on, see `PessimisticFigure`; null for a single site. */
    pairedObservations: number | null;
    now: EpochSeconds;
  },
): Promise<CoAllocationRow> {
  const { now, startAt, rule, ...rest } = promise;
  const moments = { startAt: toDate(startAt), createdAt: toDate(now), wakeAt: toDate(startAt) };
  const row = await tx.coAllocation.create({
    data: { ...rest, ...moments, state: 'PENDING', rule: rule as unknown as Prisma.InputJsonValue },
  });
  await publishChange(tx, { type: 'CO_ALLOCATION', id: row.id, tenantId: row.tenantId });
  return fromRow(row);
}

export async function findCoAllocation(db: Db, id: string): Promise<CoAllocationRow | null> {
  const row = await db.coAllocation.findUnique({ where: { id } });
  return row && fromRow(row);
}

/** Keeps every other transaction from changing the group, or placing its legs, until this one ends. */
export async function lockCoAllocation(tx: Db, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM "CoAllocation" WHERE "id" = ${id}::uuid FOR NO KEY UPDATE`;
}

export async function findCoAllocations(db: Db, ids: readonly string[]): Promise<CoAllocationRow[]> {
  return (await db.coAllocation.findMany({ where: { id: { in: [...ids] } } })).map(fromRow);
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
  return toPage(rows.map(fromRow), totalCount, page);
}

/** Notes that its caller wants it cancelled. The group itself carries that out when it gets its turn. */
export async function requestGroupCancel(tx: Db, id: string, now: EpochSeconds): Promise<void> {
  await tx.coAllocation.updateMany({
    where: { id, state: 'PENDING', cancelRequestedAt: null },
    data: { cancelRequestedAt: toDate(now) },
  });
}

/**
 * Decides a co-allocation.
 * @throws StaleTurn when another worker has taken the turn
 */
export async function moveCoAllocation(
  tx: Db,
  turn: Turn,
  group: CoAllocationRow,
  { state, reason }: { state: CoAllocationState; reason: string },
  now: EpochSeconds,
): Promise<void> {
  assertMove(`co-allocation ${group.id}`, CO_ALLOCATION_MOVES, group.state, state);
  await assertTurn(tx, turn);
  await tx.coAllocation.update({ where: { id: group.id }, data: { state, reason, decidedAt: toDate(now) } });
  await publishChange(tx, { type: 'CO_ALLOCATION', id: group.id, tenantId: group.tenantId });
}

function fromRow(row: Prisma.CoAllocationGetPayload<Record<string, never>>): CoAllocationRow {
  return { ...withMoments(row), rule: row.rule as unknown as RuleGroup };
}
