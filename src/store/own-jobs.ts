import type { EpochSeconds } from '../domain/clock.ts';
import type { ReservationMode } from '../domain/reservation.ts';
import type { Db } from './database.ts';

/** A job of ours at a site, by the id that the site gave it, with what it runs. */
export interface OwnJob {
  readonly nativeId: string;
  /** By the site's clock, of the newest attempt of its execution; null of others, and until that is known. */
  readonly submittedAt: EpochSeconds | null;
  /** By ours. */
  readonly intendedAt: EpochSeconds;
  readonly name: string;
  readonly arguments: readonly string[];
  readonly scriptHash: string | null;
  /** When it was told to begin, of a job that was submitted ahead; null of others. */
  readonly gateOpenedAt: EpochSeconds | null;
  /** Of its promise; null without. */
  readonly mode: ReservationMode | null;
  readonly startAt: EpochSeconds | null;
  readonly windowOpensAt: EpochSeconds | null;
}

/** Those of a site's jobs with some ids that are, or were, ours. An id may have been given to several. */
export async function listOwnJobs(db: Db, siteId: string, nativeIds: readonly string[]): Promise<OwnJob[]> {
  return db.$queryRaw<OwnJob[]>`
    SELECT s."nativeId", extract(epoch FROM s."intendedAt")::float8 AS "intendedAt",
           CASE WHEN s."attempt" = e."attempts" THEN extract(epoch FROM e."nativeSubmittedAt")::float8 END
             AS "submittedAt",
           e."name", e."arguments", e."scriptHash", extract(epoch FROM e."gateOpenedAt")::float8 AS "gateOpenedAt",
           r."mode"::text AS "mode", extract(epoch FROM r."startAt")::float8 AS "startAt",
           extract(epoch FROM r."windowOpensAt")::float8 AS "windowOpensAt"
      FROM "Submission" s JOIN "Execution" e ON e."id" = s."executionId"
      LEFT JOIN "Reservation" r ON r."executionId" = e."id"
     WHERE s."siteId" = ${siteId}::uuid AND s."nativeId" = ANY(${[...nativeIds]})`;
}

/** When the oldest of the newest jobs that went to a site was written down; the beginning of time of fewer. */
export async function findNewestSince(db: Db, siteId: string, newest: number): Promise<EpochSeconds> {
  const [oldest] = await db.$queryRaw<{ at: EpochSeconds }[]>`
    SELECT extract(epoch FROM "intendedAt")::float8 AS "at" FROM "Submission" WHERE "siteId" = ${siteId}::uuid
     ORDER BY "intendedAt" DESC OFFSET ${newest}::int LIMIT 1`;
  return oldest?.at ?? 0;
}
