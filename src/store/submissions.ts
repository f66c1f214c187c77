import type { EpochSeconds } from '../domain/clock.ts';
import { SUBMISSION_MOVES, SUBMISSION_STATES, type SubmissionState } from '../domain/submission.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';

/** One attempt to hand an execution to a site. */
export type SubmissionRow = WithMoments<Prisma.SubmissionGetPayload<Record<string, never>>>;

/** Writes the intent down before the adapter is called. */
export async function intendSubmission(
  tx: Db,
  submission: Pick<
    SubmissionRow,
    'key' | 'executionId' | 'siteId' | 'attempt' | 'queue' | 'user' | 'account' | 'qos' | 'intendedAt'
  >,
): Promise<void> {
  await tx.submission.create({
    data: { ...submission, state: 'INTENDED', intendedAt: toDate(submission.intendedAt) },
  });
}

/** Writes down what became of the attempt, which must be a legal move. `siteSays` keeps the site's own words. */
export async function resolveSubmission(
  tx: Db,
  key: string,
  result: { state: SubmissionState; nativeId: string | null; siteSays: string | null; resolvedAt: EpochSeconds },
): Promise<void> {
  const data = { ...result, resolvedAt: toDate(result.resolvedAt) };
  await tx.submission.update({ where: { key, state: { in: statesBefore(result.state) } }, data });
}

/** Moves an accepted attempt along its way back from its site, which must be a legal move. */
export async function moveSubmission(
  tx: Db,
  key: string,
  state: 'WITHDRAWING' | 'WITHDRAWN' | 'RELEASING' | 'RELEASED' | 'ACCEPTED',
  now: EpochSeconds,
): Promise<void> {
  await tx.submission.update({
    where: { key, state: { in: statesBefore(state) } },
    data: { state, resolvedAt: toDate(now) },
  });
}

/** Prisma crashes when the row to be moved is in none of them. */
function statesBefore(state: SubmissionState): SubmissionState[] {
  return SUBMISSION_STATES.filter((before) => SUBMISSION_MOVES[before].includes(state));
}

/** The newest attempt of an execution; null before the first. */
export async function findNewestSubmission(db: Db, executionId: string): Promise<SubmissionRow | null> {
  return withMoments(await db.submission.findFirst({ where: { executionId }, orderBy: { attempt: 'desc' } }));
}

/** Every attempt of an execution, first to last. */
export async function listSubmissions(db: Db, executionId: string): Promise<SubmissionRow[]> {
  return withMoments(await db.submission.findMany({ where: { executionId }, orderBy: { attempt: 'asc' } }));
}

/** The attempts of several executions, for batched reads. */
export async function findSubmissions(db: Db, executionIds: readonly string[]): Promise<SubmissionRow[]> {
  return withMoments(
    await db.submission.findMany({ where: { executionId: { in: [...executionIds] } }, orderBy: { attempt: 'asc' } }),
  );
}

/**
 * Those of the keys whose native job nobody waits for: the attempt was written off, withdrawn or released, a later one
 * has taken its place, or the execution has ended. Keys that are none of ours are left out.
 * @param observedAt when the jobs were seen; an execution that ended later than that may have been among them rightly
 */
export async function findStrayKeys(
  db: Db,
  siteId: string,
  keys: readonly string[],
  observedAt: EpochSeconds,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT s."key" FROM "Submission" s JOIN "Execution" e ON e."id" = s."executionId"
     WHERE s."siteId" = ${siteId}::uuid AND s."key" = ANY(${[...keys]})
       AND (s."state" IN ('ABSENT', 'REJECTED', 'WITHDRAWN', 'RELEASED') OR s."attempt" < e."attempts" OR e."state" IN ('REQUESTED', 'HELD')
            OR (e."state" = 'ENDED' AND e."endedAt" < to_timestamp(${observedAt}::float8)))`;
  return rows.map(({ key }) => key);
}

/** Whose job bears a key; null where it was never given out. */
export async function findSubmissionTenant(db: Db, key: string): Promise<{ readonly tenantId: string } | null> {
  const found = await db.submission.findUnique({
    where: { key },
    select: { execution: { select: { tenantId: true } } },
  });
  return found?.execution ?? null;
}
