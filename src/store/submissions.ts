import type { EpochSeconds } from '../domain/clock.ts';
import { invariant } from '../domain/failures.ts';
import { SUBMISSION_MOVES, SUBMISSION_STATES, type SubmissionState } from '../domain/submission.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { ANY, gathered } from './gathered.ts';
import { toDate, type WithMoments, withMoments } from './moments.ts';

/** One attempt to hand an execution to a site. */
export type SubmissionRow = WithMoments<Prisma.SubmissionGetPayload<Record<string, never>>>;

/** An attempt that is about to be made. */
type Intent = Pick<
  SubmissionRow,
  'key' | 'executionId' | 'siteId' | 'attempt' | 'queue' | 'user' | 'account' | 'qos' | 'intendedAt'
>;

/** Writes the intent down before the adapter is called. */
export const intendSubmission: (tx: Db, intent: Intent) => Promise<void> = gathered(ANY, async (tx, intents) => {
  await tx.submission.createMany({
    data: intents.map((intent) => ({ ...intent, state: 'INTENDED' as const, intendedAt: toDate(intent.intendedAt) })),
  });
  return intents.map(() => undefined);
});

/** What became of an attempt; `siteSays` are the site's own words. */
interface Resolution {
  readonly state: SubmissionState;
  readonly nativeId: string | null;
  readonly siteSays: string | null;
  readonly resolvedAt: EpochSeconds;
}

/** Writes down what became of the attempt, which must be a legal move. */
export async function resolveSubmission(tx: Db, key: string, result: Resolution): Promise<void> {
  await resolve(tx, { key, ...result, resolvedAt: toDate(result.resolvedAt) });
}

const resolve = gathered(
  ({ state }: Omit<Resolution, 'resolvedAt'> & { readonly key: string; readonly resolvedAt: Date }) => state,
  async (tx, results) => {
    const [before] = results.map(({ state }) => statesBefore(state));
    const count = await tx.$executeRaw`
      UPDATE "Submission" s
         SET "state" = told."state", "nativeId" = told."nativeId", "siteSays" = told."siteSays",
             "resolvedAt" = told."resolvedAt"
        FROM jsonb_populate_recordset(NULL::"Submission", ${JSON.stringify(results)}::jsonb) told
       WHERE s."key" = told."key" AND s."state"::text = ANY(${before}::text[])`;
    invariant(count === results.length, `of ${results.map(({ key }) => key).join()} not all could be resolved`);
    return results.map(() => undefined);
  },
);

/** Moves an accepted attempt along its way back from its site, which must be a legal move. */
export async function moveSubmission(
  tx: Db,
  key: string,
  state: 'WITHDRAWING' | 'WITHDRAWN' | 'REJECTED' | 'RELEASING' | 'RELEASED' | 'ACCEPTED',
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
 * Those of the native jobs that nobody waits for: the attempt was written off, withdrawn or released, a later one has
 * taken its place, or the execution has ended. One that ended by itself and that its site runs once more under the same
 * id is none of them: somebody there wants that. Keys that are none of ours are left out.
 * @param observedAt when the jobs were seen; an execution that ended later than that may have been among them rightly
 */
export async function findStrays<Job extends { readonly key: string; readonly nativeId: string }>(
  db: Db,
  siteId: string,
  jobs: readonly Job[],
  observedAt: EpochSeconds,
): Promise<Job[]> {
  const [keys, nativeIds] = [jobs.map(({ key }) => key), jobs.map(({ nativeId }) => nativeId)];
  const rows = await db.$queryRaw<{ key: string; nativeId: string }[]>`
    SELECT seen."key", seen."nativeId" FROM unnest(${keys}::text[], ${nativeIds}::text[]) AS seen("key", "nativeId")
      JOIN "Submission" s ON s."key" = seen."key" JOIN "Execution" e ON e."id" = s."executionId"
     WHERE s."siteId" = ${siteId}::uuid
       AND (s."state" IN ('ABSENT', 'REJECTED', 'WITHDRAWN', 'RELEASED') OR s."attempt" < e."attempts" OR e."state" IN ('REQUESTED', 'HELD')
            OR (e."state" = 'ENDED' AND e."endedAt" < to_timestamp(${observedAt}::float8)
                AND NOT (s."nativeId" = seen."nativeId" AND e."cancelRequestedAt" IS NULL AND e."outcome" NOT IN ('LOST', 'CANCELLED'))))`;
  const strays = new Set(rows.map(({ key, nativeId }) => `${key} ${nativeId}`));
  return jobs.filter(({ key, nativeId }) => strays.has(`${key} ${nativeId}`));
}

/** Whose job bears a key; null where it was never given out. */
export async function findSubmissionTenant(db: Db, key: string): Promise<{ readonly tenantId: string } | null> {
  const found = await db.submission.findUnique({
    where: { key },
    select: { execution: { select: { tenantId: true } } },
  });
  return found?.execution ?? null;
}
