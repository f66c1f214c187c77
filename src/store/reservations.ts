import type { EpochSeconds } from '../domain/clock.ts';
import { isLegNeeded, type RuleTree } from '../domain/co-allocation.ts';
import type { Trajectory } from '../domain/plan.ts';
import { RESERVATION_MOVES, type ReservationMode, type ReservationState } from '../domain/reservation.ts';
import { assertMove } from '../domain/state-machine.ts';
import type { MissPolicy, Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChange } from './events.ts';
import type { ExecutionRow } from './executions.ts';
import { ANY, gathered, PACE_MILLISECONDS, padded } from './gathered.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';
import { newestFirst, type Page, type PageRequest, toPage } from './pages.ts';
import { sharedRead } from './shared-read.ts';

/** One reservation, every moment in epoch seconds. */
export type ReservationRow = Omit<WithMoments<Prisma.ReservationGetPayload<Record<string, never>>>, 'trajectory'> & {
  readonly trajectory: Trajectory;
};

/** A promise as it is made. */
export interface NewReservation {
  readonly tenantId: string;
  readonly executionId: string;
  readonly coAllocationId: string | null;
  /** Its name in the rule of the co-allocation; null without one. */
  readonly legId: string | null;
  readonly mode: ReservationMode;
  readonly startAt: EpochSeconds;
  readonly windowOpensAt: EpochSeconds | null;
  readonly ifMissed: MissPolicy;
  readonly probability: number;
  readonly promisedProbability: number;
  readonly worstPaddingProcessorSeconds: number;
  readonly expectedPaddingProcessorSeconds: number;
  /** Null for any. */
  readonly maxPaddingProcessorSeconds: number | null;
  /** The same on average; any unless told. */
  readonly maxExpectedPaddingProcessorSeconds?: number | null;
  /** What certainty is worth to it, see `holdPriceSeconds`; null for a leg of a co-allocation. */
  readonly holdPriceSeconds: number | null;
  readonly trajectory: Trajectory;
  readonly now: EpochSeconds;
}

/** Writes a promise down. */
export async function createReservation(tx: Db, promise: NewReservation): Promise<ReservationRow> {
  const { now, startAt, windowOpensAt, trajectory, ...rest } = promise;
  const row = await tx.reservation.create({
    data: {
      ...rest,
      state: 'PROMISED',
      startAt: toDate(startAt),
      windowOpensAt: toDate(windowOpensAt),
      currentProbability: promise.promisedProbability,
      trajectory: asJson(trajectory),
      recomputedAt: toDate(now),
      createdAt: toDate(now),
    },
  });
  await publishChange(tx, { type: 'RESERVATION', id: row.id, tenantId: row.tenantId });
  return fromRow(row);
}

export async function findReservation(db: Db, id: string): Promise<ReservationRow | null> {
  const row = await db.reservation.findUnique({ where: { id } });
  return row && fromRow(row);
}

export async function findReservationOf(db: Db, executionId: string): Promise<ReservationRow | null> {
  const row = await db.reservation.findUnique({ where: { executionId } });
  return row && fromRow(row);
}

/** An execution together with its reservation, if it is the body of one: what a step starts from. */
export const findReservedExecution: (
  db: Db,
  executionId: string,
) => Promise<{ execution: ExecutionRow; reservation: ReservationRow | null } | null> = gathered(
  ANY,
  async (db, executionIds) => {
    const where = { id: { in: padded(executionIds) } };
    const rows = await db.execution.findMany({ where, include: { reservation: true } });
    const found = new Map(rows.map((row) => [row.id, row]));
    return executionIds.map((id) => {
      const row = found.get(id);
      if (!row) return null;
      const { reservation, ...execution } = row;
      return { execution: withMoments(execution), reservation: reservation && fromRow(reservation) };
    });
  },
  { paceMilliseconds: PACE_MILLISECONDS },
);

/** The legs of several co-allocations, in the order they were made. */
export async function findLegs(db: Db, coAllocationIds: readonly string[]): Promise<ReservationRow[]> {
  const rows = await db.reservation.findMany({
    where: { coAllocationId: { in: [...coAllocationIds] } },
    orderBy: { id: 'asc' },
  });
  return rows.map(fromRow);
}

/** The reservations of a tenant, newest first. */
export async function listReservations(
  db: Db,
  filter: { tenantId: string; states: readonly ReservationState[] | null },
  page: PageRequest,
): Promise<Page<ReservationRow>> {
  const where: Prisma.ReservationWhereInput = {
    tenantId: filter.tenantId,
    ...(filter.states && { state: { in: [...filter.states] } }),
  };
  const [rows, totalCount] = await Promise.all([
    db.reservation.findMany(newestFirst(where, page)),
    db.reservation.count({ where }),
  ]);
  return toPage(rows.map(fromRow), totalCount, page);
}

/** Moves a reservation along. The caller holds the turn of its execution, which covers it. */
export async function moveReservation(
  tx: Db,
  reservation: ReservationRow,
  state: ReservationState,
  now: EpochSeconds,
): Promise<ReservationRow> {
  assertMove(`reservation ${reservation.id}`, RESERVATION_MOVES, reservation.state, state);
  const decidedAt = RESERVATION_MOVES[state].length === 0 ? toDate(now) : null;
  const row = await tx.reservation.update({ where: { id: reservation.id }, data: { state, decidedAt } });
  await publishChange(tx, { type: 'RESERVATION', id: row.id, tenantId: row.tenantId });
  return fromRow(row);
}

/**
 * Keeps a recomputed trajectory, what it now expects and what it may now cost. The promise itself stays as it was made.
 */
export async function saveTrajectory(
  tx: Db,
  reservationId: string,
  recomputed: {
    trajectory: Trajectory;
    currentProbability: number;
    worstPaddingProcessorSeconds: number;
    expectedPaddingProcessorSeconds: number;
    now: EpochSeconds;
  },
): Promise<void> {
  const row = await tx.reservation.update({
    where: { id: reservationId },
    data: {
      trajectory: asJson(recomputed.trajectory),
      currentProbability: recomputed.currentProbability,
      worstPaddingProcessorSeconds: recomputed.worstPaddingProcessorSeconds,
      expectedPaddingProcessorSeconds: recomputed.expectedPaddingProcessorSeconds,
      recomputedAt: toDate(recomputed.now),
    },
  });
  await publishChange(tx, { type: 'RESERVATION', id: row.id, tenantId: row.tenantId });
}

/** Books padding for processors that were held early and given back. */
export async function addReleased(tx: Db, reservationId: string, processorSeconds: number): Promise<void> {
  const data = { releasedProcessorSeconds: { increment: processorSeconds } };
  await tx.reservation.update({ where: { id: reservationId }, data });
}

/** How the newest promises made for a site came out, oldest first: what was asked for, and whether it was kept. */
export async function listPromiseOutcomes(
  db: Db,
  siteId: string,
  newest: number,
): Promise<{ probability: number; kept: boolean }[]> {
  const rows = await db.reservation.findMany({
    where: { state: { in: ['KEPT', 'MISSED'] }, execution: { siteId } },
    orderBy: { decidedAt: 'desc' },
    take: newest,
    select: { probability: true, state: true, legId: true, coAllocation: { select: { rule: true } } },
  });
  const telling = rows.filter(
    ({ legId, coAllocation }) =>
      legId === null || !coAllocation || isLegNeeded(coAllocation.rule as unknown as RuleTree, legId),
  );
  return telling.reverse().map(({ probability, state }) => ({ probability, kept: state === 'KEPT' }));
}

/** How many promises of each kind were kept, per site and promised level; the first line of the score card. */
export interface PromiseTally {
  readonly siteId: string;
  readonly decided: number;
  readonly kept: number;
  /** Mean of the promised probabilities of the decided ones. */
  readonly promised: number;
}

/** Promised against kept per site, over every decided reservation. */
export const tallyPromises: (db: Db) => Promise<readonly PromiseTally[]> = sharedRead(
  () => 'all',
  (db) => db.$queryRaw<PromiseTally[]>`
    SELECT e."siteId"::text AS "siteId", count(*)::int AS "decided",
           (count(*) FILTER (WHERE r."state" = 'KEPT'))::int AS "kept", avg(r."promisedProbability")::float8 AS "promised"
      FROM "Reservation" r JOIN "Execution" e ON e."id" = r."executionId"
     WHERE r."state" IN ('KEPT', 'MISSED') GROUP BY e."siteId"`,
);

function fromRow(row: Prisma.ReservationGetPayload<Record<string, never>>): ReservationRow {
  const { trajectory, ...rest } = row;
  return { ...withMoments(rest), trajectory: trajectory as unknown as Trajectory };
}

function asJson(trajectory: Trajectory): Prisma.InputJsonValue {
  return trajectory as unknown as Prisma.InputJsonValue;
}

export async function findReservations(db: Db, ids: readonly string[]): Promise<ReservationRow[]> {
  return (await db.reservation.findMany({ where: { id: { in: [...ids] } } })).map(fromRow);
}

/** The reservations that the given executions are the bodies of, for batched reads. */
export async function findReservationsOf(db: Db, executionIds: readonly string[]): Promise<ReservationRow[]> {
  return (await db.reservation.findMany({ where: { executionId: { in: [...executionIds] } } })).map(fromRow);
}
