import type { EpochSeconds } from '../domain/clock.ts';
import type { Trajectory } from '../domain/plan.ts';
import type { ReservationMode } from '../domain/reservation.ts';
import type { Db } from './database.ts';
import { CHANGE_CHANNEL } from './events.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';

/** A promise that waits for its submission, as far as looking at it again needs it. */
export interface HeldPromise {
  readonly executionId: string;
  /** The execution's version when it was read; whoever writes it must find the same one. */
  readonly version: number;
  /** When its execution then wanted its next turn. */
  readonly wakeAt: EpochSeconds;
  readonly siteId: string;
  readonly siteQueue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly submitAt: EpochSeconds;
  readonly startAt: EpochSeconds;
  readonly windowOpensAt: EpochSeconds | null;
  readonly mode: ReservationMode;
  readonly probability: number;
  readonly currentProbability: number;
  readonly maxPaddingProcessorSeconds: number | null;
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
    RETURNING e."id"::text AS "executionId", e."version",
              extract(epoch FROM e."wakeAt")::float8 AS "wakeAt", e."siteId"::text AS "siteId", e."siteQueue", e."processors",
              e."walltimeSeconds", extract(epoch FROM e."submitAt")::float8 AS "submitAt",
              extract(epoch FROM r."startAt")::float8 AS "startAt",
              extract(epoch FROM r."windowOpensAt")::float8 AS "windowOpensAt", r."mode"::text AS "mode", r."probability",
              r."currentProbability", r."maxPaddingProcessorSeconds", r."releasedProcessorSeconds", r."holdPriceSeconds"`;
}

/** The promises whose jobs wait for their submission to a site or in its queue. */
export async function listPromisesBeforeStart(
  db: Db,
  siteId: string,
): Promise<Pick<HeldPromise, 'executionId' | 'siteQueue' | 'processors' | 'walltimeSeconds' | 'startAt'>[]> {
  return db.$queryRaw`
    SELECT e."id"::text AS "executionId", e."siteQueue", e."processors", e."walltimeSeconds",
           extract(epoch FROM r."startAt")::float8 AS "startAt"
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
  readonly trajectory: Trajectory;
}

/**
 * Writes revised submission times with their wake-ups, as a turn of each execution would. Those whose execution
 * somebody else has turned to meanwhile, or wants to have its turn, are left as they are. Returns how many were
 * written.
 */
export async function reviseHeldPromises(
  db: Db,
  revised: readonly RevisedPromise[],
  now: EpochSeconds,
): Promise<number> {
  if (revised.length === 0) return 0;
  const rows = await db.$queryRaw<{ written: number }[]>`
    WITH new AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(revised)}::jsonb)
        AS n("executionId" uuid, "version" int, "wakeAt" float8, "submitAt" float8, "currentProbability" float8,
             "worstPaddingProcessorSeconds" float8, "trajectory" jsonb)),
    locked AS (
      SELECT e."id" FROM "Execution" e JOIN new n ON n."executionId" = e."id" ORDER BY e."id" FOR NO KEY UPDATE OF e),
    moved AS (
      UPDATE "Execution" e
         SET "version" = e."version" + 1, "submitAt" = to_timestamp(n."submitAt"), "wakeAt" = to_timestamp(n."submitAt"),
             "updatedAt" = to_timestamp(${now}::float8)
        FROM new n JOIN locked l ON l."id" = n."executionId"
       WHERE e."id" = n."executionId" AND e."version" = n."version" AND e."wakeAt" = to_timestamp(n."wakeAt") AND e."state" = 'HELD'
         AND e."cancelRequestedAt" IS NULL AND e."leaseExpiresAt" IS NULL
      RETURNING e."id", e."tenantId", e."wakeAt"),
    kept AS (
      UPDATE "Reservation" r
         SET "currentProbability" = n."currentProbability", "trajectory" = n."trajectory",
             "worstPaddingProcessorSeconds" = n."worstPaddingProcessorSeconds"
        FROM new n JOIN moved m ON m."id" = n."executionId"
       WHERE r."executionId" = n."executionId"
      RETURNING r."id", r."tenantId"),
    woken AS (
      INSERT INTO "Outbox" ("kind", "targetId", "wakeAt", "createdAt")
      SELECT 'EXECUTION', m."id", m."wakeAt", clock_timestamp() FROM moved m RETURNING 1),
    told AS (
      SELECT pg_notify(${CHANGE_CHANNEL}, json_build_object('type', 'RESERVATION', 'id', k."id", 'tenantId', k."tenantId")::text)
        FROM kept k),
    announced AS (SELECT pg_notify(${OUTBOX_CHANNEL}, '') FROM woken LIMIT 1)
    SELECT (SELECT count(*) FROM kept)::int AS "written", (SELECT count(*) FROM told)::int AS "told",
           (SELECT count(*) FROM announced)::int AS "announced"`;
  return rows[0]?.written ?? 0;
}
