import type { EpochSeconds } from '../domain/clock.ts';
import type { ComingWork, HeldExecution, JobOnTheWay } from '../domain/snapshot.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { lockThing, shareThings } from './advisory-locks.ts';
import type { Db } from './database.ts';
import { ANY, gathered } from './gathered.ts';

/**
 * Seconds by which a site's clock may be ahead of ours: what it accepted so long before a snapshot may be missing
 * there.
 */
const CLOCKS_APART_SECONDS = 60;
const MOST_JOBS = 1000;
const MOST_HELD = 300;

/** A site at a moment. */
export interface AskedOnTheWay {
  readonly siteId: string;
  readonly at: EpochSeconds;
}

/**
 * Own jobs that are on their way to each of some sites at a moment: planned and due, being submitted, or accepted about
 * or after its newest snapshot, which may show them or not. In the order in which they were asked for.
 */
export async function listJobsOnTheWay(db: Db, asked: readonly AskedOnTheWay[]): Promise<JobOnTheWay[][]> {
  const rows = await db.$queryRaw<(JobOnTheWay & { readonly index: number })[]>`
    SELECT (a."number" - 1)::int AS "index", j.*
      FROM unnest(${asked.map(({ siteId }) => siteId)}::uuid[], ${asked.map(({ at }) => at)}::float8[])
           WITH ORDINALITY AS a("siteId", "at", "number")
     CROSS JOIN LATERAL (
       SELECT e."id"::text AS "executionId", u."key", e."siteQueue" AS "queue", e."processors",
              COALESCE(e."submittedWalltimeSeconds", e."walltimeSeconds") AS "requestedWalltimeSeconds",
              (e."resources"->>'gpus')::int AS "gpus",
              extract(epoch FROM COALESCE(e."nativeSubmittedAt", e."submitAt", e."createdAt"))::float8 AS "submitAt"
         FROM "Execution" e
         LEFT JOIN "Submission" u ON u."executionId" = e."id" AND u."attempt" = e."attempts" AND e."state" <> 'HELD'
        WHERE e."siteId" = a."siteId" AND ${onTheWay(Prisma.sql`a."at"`)}
        ORDER BY e."createdAt", e."id" LIMIT ${MOST_JOBS}::int) j`;
  const jobs = asked.map((): JobOnTheWay[] => []);
  for (const { index, ...job } of rows) jobs[index]?.push(job);
  return jobs;
}

/**
 * Own work that is held back for each of some sites at a moment until a later one: the first 300 pieces to be
 * submitted, in the order in which they will be.
 */
export async function listHeldWork(db: Db, asked: readonly AskedOnTheWay[]): Promise<HeldExecution[][]> {
  const rows = await db.$queryRaw<(HeldExecution & { readonly index: number })[]>`
    SELECT (a."number" - 1)::int AS "index", h.*
      FROM unnest(${asked.map(({ siteId }) => siteId)}::uuid[], ${asked.map(({ at }) => at)}::float8[])
           WITH ORDINALITY AS a("siteId", "at", "number")
     CROSS JOIN LATERAL (
       SELECT e."id"::text AS "executionId", e."processors", e."walltimeSeconds",
              extract(epoch FROM e."createdAt")::float8 AS "createdAt",
              extract(epoch FROM e."submitAt")::float8 AS "submitAt",
              extract(epoch FROM CASE r."mode" WHEN 'HOLD' THEN r."startAt" WHEN 'WINDOW' THEN r."windowOpensAt" END)
                ::float8 AS "holdUntilAt"
         FROM "Execution" e
         LEFT JOIN "Reservation" r ON r."executionId" = e."id"
        WHERE e."siteId" = a."siteId" AND e."state" = 'HELD' AND e."submitAt" > to_timestamp(a."at")
          AND e."cancelRequestedAt" IS NULL
        ORDER BY e."submitAt" LIMIT ${MOST_HELD}::int) h`;
  const held = asked.map((): HeldExecution[] => []);
  for (const { index, ...work } of rows) held[index]?.push(work);
  return held;
}

/** Own work that each of some sites does not show yet, at a moment. */
export async function listComingWork(db: Db, asked: readonly AskedOnTheWay[]): Promise<ComingWork[]> {
  const [onTheWay, held] = await Promise.all([listJobsOnTheWay(db, asked), listHeldWork(db, asked)]);
  return asked.map((_, i) => ({ onTheWay: onTheWay[i] ?? [], held: held[i] ?? [] }));
}

/** The executions that are on their way to each of some sites. */
export async function findOnTheWay(db: Db, siteIds: readonly string[], at: EpochSeconds): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT e."id"::text AS "id" FROM "Execution" e WHERE e."siteId" = ANY(${[...siteIds]}::uuid[]) AND ${onTheWay(Prisma.sql`${at}::float8`)}`;
  return new Set(rows.map(({ id }) => id));
}

/** Until the transaction ends nobody else who asks for it assigns a job to the site. */
export async function lockAssignments(tx: Db, siteId: string): Promise<void> {
  await lockThing(tx, 'assignments', siteId);
}

/** Until the transaction ends nobody has the site to himself who locks its assignments; others may assign meanwhile. */
export const shareAssignments: (tx: Db, siteId: string) => Promise<void> = gathered(ANY, async (tx, siteIds) => {
  await shareThings(tx, 'assignments', siteIds);
  return siteIds.map(() => undefined);
});

function onTheWay(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    (e."state" = 'HELD' AND e."submitAt" <= to_timestamp(${at})) OR e."state" = 'SUBMITTING'
    OR (e."state" = 'QUEUED' AND e."nativeSubmittedAt" >= (
      SELECT s."observedAt" - ${CLOCKS_APART_SECONDS}::int * interval '1 second' FROM "Site" s WHERE s."id" = e."siteId")))`;
}
