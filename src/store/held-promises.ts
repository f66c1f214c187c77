import type { EpochSeconds } from '../domain/clock.ts';
import type { Trajectory } from '../domain/plan.ts';
import type { ReservationMode } from '../domain/reservation.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { publishChanges } from './events.ts';
import { type KeptProgram } from './executions.ts';
import { toDate } from './moments.ts';
import { enqueueWakeUps, WAKE_UP_KINDS } from './outbox.ts';
import type { TermColumns } from './plan-requests.ts';
import { passTurns } from './turns.ts';

/** A promise that waits for its submission, as far as looking at it again needs it. */
export interface HeldPromise extends KeptProgram, TermColumns {
  readonly executionId: string;
  readonly tenantId: string;
  /** The execution's version when it was read; whoever writes it must find the same one. */
  readonly version: number;
  /** When its execution then wanted its next turn. */
  readonly wakeAt: EpochSeconds;
  readonly siteId: string;
  readonly siteQueue: string | null;
  readonly processors: number;
  readonly resources: Prisma.JsonValue;
  readonly walltimeSeconds: number;
  readonly submitAt: EpochSeconds;
  readonly startAt: EpochSeconds;
  readonly windowOpensAt: EpochSeconds | null;
  readonly mode: ReservationMode;
  readonly probability: number;
  readonly currentProbability: number;
  readonly maxPaddingProcessorSeconds: number | null;
  readonly maxExpectedPaddingProcessorSeconds: number | null;
  readonly releasedProcessorSeconds: number;
  readonly holdPriceSeconds: number | null;
}

/**
 * Takes promises that wait and were last looked at before a moment, longest ago first, and notes that they are looked
 * at now: no other worker gets them for that. Those that are due, worked on or to be cancelled are left out.
 */
export async function takeHeldPromises(
  db: Db,
  { lookedAtBefore, now, limit }: { lookedAtBefore: EpochSeconds; now: EpochSeconds; limit: number },
): Promise<HeldPromise[]> {
  return db.$queryRaw<HeldPromise[]>`
    WITH due AS (
      SELECT r."id" FROM "Reservation" r JOIN "Execution" e ON e."id" = r."executionId"
       WHERE r."state" = 'PROMISED' AND r."recomputedAt" < to_timestamp(${lookedAtBefore}::float8)
         AND e."state" = 'HELD' AND e."cancelRequestedAt" IS NULL AND e."leaseExpiresAt" IS NULL
         AND e."wakeAt" > to_timestamp(${now}::float8)
       ORDER BY r."recomputedAt" LIMIT ${limit}::int FOR UPDATE OF r SKIP LOCKED)
    UPDATE "Reservation" r SET "recomputedAt" = to_timestamp(${now}::float8)
      FROM due, "Execution" e
     WHERE r."id" = due."id" AND e."id" = r."executionId"
    RETURNING e."id"::text AS "executionId", e."tenantId"::text AS "tenantId", e."version",
              extract(epoch FROM e."wakeAt")::float8 AS "wakeAt", e."siteId"::text AS "siteId", e."siteQueue", e."processors", e."resources",
              e."name", e."arguments", e."scriptHash",
              e."account", e."qos", e."siteReservation", e."siteChoices",
              e."walltimeSeconds", extract(epoch FROM e."submitAt")::float8 AS "submitAt",
              extract(epoch FROM r."startAt")::float8 AS "startAt",
              extract(epoch FROM r."windowOpensAt")::float8 AS "windowOpensAt", r."mode"::text AS "mode", r."probability",
              r."currentProbability", r."maxPaddingProcessorSeconds", r."maxExpectedPaddingProcessorSeconds",
              r."releasedProcessorSeconds", r."holdPriceSeconds"`;
}

/**
 * Promises that were taken, and that nobody could look at after all, are due for it again, behind those that have
 * waited for longer.
 */
export async function giveBackLooks(
  db: Db,
  held: readonly HeldPromise[],
  { lookedAtBefore, now }: { lookedAtBefore: EpochSeconds; now: EpochSeconds },
): Promise<void> {
  const executionId = { in: held.map((promise) => promise.executionId) };
  const takenThen = { lte: toDate(now + 0.001) };
  const data = { recomputedAt: toDate(lookedAtBefore) };
  await db.reservation.updateMany({ where: { executionId, recomputedAt: takenThen }, data });
}

/** A promise as far as what its site says may stand against it. */
type PromiseBeforeStart = TermColumns &
  Pick<HeldPromise, 'executionId' | 'siteQueue' | 'processors' | 'walltimeSeconds' | 'startAt'>;

/** The promises whose jobs wait for their submission to a site or in its queue. */
export async function listPromisesBeforeStart(db: Db, siteId: string): Promise<PromiseBeforeStart[]> {
  return db.$queryRaw`
    SELECT e."id"::text AS "executionId", e."siteQueue", e."processors", e."walltimeSeconds", e."account", e."qos",
           e."siteReservation", e."siteChoices", extract(epoch FROM r."startAt")::float8 AS "startAt"
      FROM "Execution" e JOIN "Reservation" r ON r."executionId" = e."id"
     WHERE e."siteId" = ${siteId}::uuid AND r."state" IN ('PROMISED', 'SUBMITTED') AND e."state" IN ('HELD', 'QUEUED')`;
}

/** The executions of a tenant's promises that wait for their submission to a site. */
export async function listWaitingPromises(db: Db, siteId: string, tenantId: string): Promise<string[]> {
  const where = { siteId, tenantId, state: 'HELD', reservation: { state: 'PROMISED' } } as const;
  return (await db.execution.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** What a look at a promise that waits has changed. */
export interface RevisedPromise {
  readonly executionId: string;
  readonly version: number;
  readonly wakeAt: EpochSeconds;
  readonly submitAt: EpochSeconds;
  readonly currentProbability: number;
  readonly worstPaddingProcessorSeconds: number;
  readonly expectedPaddingProcessorSeconds: number;
  readonly trajectory: Trajectory;
}

/**
 * Writes revised submission times as turns of the executions that were taken and ended at once, in the caller's
 * transaction. Those whose execution somebody else has turned to meanwhile, or wants to have its turn, are left as they
 * are. Returns how many were written.
 */
export async function reviseHeldPromises(
  tx: Db,
  revised: readonly RevisedPromise[],
  now: EpochSeconds,
): Promise<number> {
  const waiting = await lockWaiting(
    tx,
    revised.map(({ executionId }) => executionId),
  );
  const still = revised.filter(({ executionId }) => waiting.has(executionId));
  const turns = still.map(({ executionId: id, submitAt, ...seen }) => ({ ...seen, id, nextWakeAt: submitAt }));
  const passed = new Set(await passTurns(tx, 'Execution', turns));
  const written = still.filter(({ executionId }) => passed.has(executionId));
  const kept = await tx.$queryRaw<{ id: string; tenantId: string }[]>`
    WITH new AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
        AS n("executionId" uuid, "submitAt" float8, "currentProbability" float8,
             "worstPaddingProcessorSeconds" float8, "expectedPaddingProcessorSeconds" float8, "trajectory" jsonb)),
    moved AS (
      UPDATE "Execution" e
         SET "submitAt" = to_timestamp(n."submitAt"), "updatedAt" = to_timestamp(${now}::float8)
        FROM new n WHERE e."id" = n."executionId")
    UPDATE "Reservation" r
       SET "currentProbability" = n."currentProbability", "trajectory" = n."trajectory",
           "worstPaddingProcessorSeconds" = n."worstPaddingProcessorSeconds",
           "expectedPaddingProcessorSeconds" = n."expectedPaddingProcessorSeconds"
      FROM new n WHERE r."executionId" = n."executionId"
    RETURNING r."id"::text AS "id", r."tenantId"::text AS "tenantId"`;
  const wakeUp = { kind: WAKE_UP_KINDS.Execution, requestId: null };
  await enqueueWakeUps(
    tx,
    written.map(({ executionId: targetId, submitAt: wakeAt }) => ({ ...wakeUp, targetId, wakeAt })),
  );
  await publishChanges(
    tx,
    kept.map((promise) => ({ type: 'RESERVATION', ...promise })),
  );
  return written.length;
}

/** Those of the executions that are to be submitted, locked in the order in which everybody locks them. */
async function lockWaiting(tx: Db, executionIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "Execution"
     WHERE "id" = ANY(${[...executionIds]}::uuid[]) AND "state" = 'HELD' AND "cancelRequestedAt" IS NULL
     ORDER BY "id" FOR NO KEY UPDATE`;
  return new Set(rows.map(({ id }) => id));
}
