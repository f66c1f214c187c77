import type { EpochSeconds } from '../domain/clock.ts';
import type { Refusal, RefusalScope } from '../domain/refusal.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import type { ExecutionRow } from './executions.ts';
import { ANY, gathered, padded } from './gathered.ts';
import { toDate } from './moments.ts';
import type { SubmissionRow } from './submissions.ts';

/** A submission as a refusal is about it. */
export interface RefusedSubmission {
  readonly siteId: string;
  readonly tenantId: string;
  /** Null for every queue of the site. */
  readonly queue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
}

/** What a site said of it, and on which terms it was handed in: none unless told. */
export interface SaidOfSubmission extends Partial<SubmissionTerms> {
  readonly scope: RefusalScope;
  readonly siteSays: string;
  readonly refusedAt: EpochSeconds;
  readonly until: EpochSeconds;
}

type SubmissionTerms = Pick<SubmissionRow, 'account' | 'qos'>;

/**
 * Keeps what a site refused to a tenant; the newest of each scope per queue and terms. Of sizes those that are as large
 * as no other one, the 32 newest. One about a job alone is on record with its submission.
 */
export async function noteRefusal(tx: Db, submission: RefusedSubmission, said: SaidOfSubmission): Promise<void> {
  if (said.scope === 'JOB') return;
  const { processors, walltimeSeconds } = submission;
  const { scope, account, qos } = said;
  const kind = { ...keyOf(submission), scope, account: account ?? '', qos: qos ?? '' };
  const asLarge = { processors: { gte: processors }, walltimeSeconds: { gte: walltimeSeconds } };
  await tx.refusal.deleteMany({ where: { ...kind, ...(scope === 'SIZE' ? asLarge : {}) } });
  const id = { ...kind, processors, walltimeSeconds };
  const news = {
    mostJobs: scope === 'JOB_LIMIT' ? await countTakenJobs(tx, kind) : null,
    siteSays: said.siteSays.slice(0, LONGEST_WORDS),
    refusedAt: toDate(said.refusedAt),
    until: toDate(said.until),
  };
  const where = { siteId_tenantId_queue_scope_processors_walltimeSeconds_account_qos: id };
  await tx.refusal.upsert({ where, create: { ...id, ...news }, update: news });
  const [beyond] = await tx.refusal.findMany({
    where: kind,
    orderBy: { refusedAt: 'desc' },
    skip: MOST_SIZES,
    take: 1,
  });
  if (beyond) await tx.refusal.deleteMany({ where: { ...kind, refusedAt: { lte: beyond.refusedAt } } });
}

/** How many jobs of a tenant a site has taken on the terms of a refusal. */
async function countTakenJobs(tx: Db, kind: ReturnType<typeof keyOf> & { account: string; qos: string }) {
  const { siteId, tenantId, queue, account, qos } = kind;
  const [counted] = await tx.$queryRaw<{ jobs: number }[]>`
    SELECT ${jobsOf(Prisma.sql`'QUEUED', 'RUNNING'`)} AS "jobs"
      FROM (SELECT ${siteId}::uuid AS "siteId", ${tenantId}::uuid AS "tenantId", ${queue}::text AS "queue",
                   ${account}::text AS "account", ${qos}::text AS "qos") r`;
  return counted?.jobs ?? 0;
}

/** Jobs that a refusal `r` for a limit of jobs counts, in some states, as their newest submissions were handed in. */
function jobsOf(states: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT count(*)::int
      FROM "Execution" e JOIN "Submission" s ON s."executionId" = e."id" AND s."attempt" = e."attempts"
     WHERE e."siteId" = r."siteId" AND e."tenantId" = r."tenantId" AND e."state" IN (${states})
       AND (r."queue" = '' OR s."queue" = r."queue")
       AND COALESCE(s."account", '') = r."account" AND COALESCE(s."qos", '') = r."qos")`;
}

/**
 * Forgets the refusals that an accepted submission has disproved: of the queue and of access, and of sizes up to its
 * own. How many jobs the site takes is shown by none of them alone.
 */
export const clearRefusals: (tx: Db, accepted: RefusedSubmission) => Promise<void> = gathered(
  ANY,
  async (tx, accepted) => {
    const rows = accepted.map((one) => ({ ...one, ...keyOf(one) }));
    const alike = new Map(rows.map((row) => [JSON.stringify(row), row]));
    await tx.$executeRaw`
      DELETE FROM "Refusal" r
       USING jsonb_to_recordset(${JSON.stringify([...alike.values()])}::jsonb)
          AS a("siteId" uuid, "tenantId" uuid, "queue" text, "processors" int, "walltimeSeconds" int)
       WHERE r."siteId" = a."siteId" AND r."tenantId" = a."tenantId"
         AND ((r."queue" = a."queue" AND r."scope" IN ('QUEUE_FORBIDDEN', 'QUEUE_DOWN'))
           OR (r."queue" IN (a."queue", '') AND r."scope" = 'SIZE' AND r."processors" <= a."processors" AND r."walltimeSeconds" <= a."walltimeSeconds"))`;
    return accepted.map(() => undefined);
  },
);

/** What sites refuse to a tenant at a moment, as the columns of a `Refusal`. */
export function refusalsOf(tenantId: string, now: EpochSeconds): Prisma.Sql {
  return Prisma.sql`
    SELECT r."siteId", NULLIF(r."queue", '') AS "queue", r."scope", r."processors", r."walltimeSeconds", r."siteSays",
           r."account", r."qos", r."mostJobs",
           CASE WHEN r."mostJobs" > 0 THEN ${jobsOf(Prisma.sql`'SUBMITTING', 'QUEUED', 'RUNNING'`)} ELSE 0 END
             AS "presentJobs",
           extract(epoch FROM r."until")::float8 AS "until"
      FROM "Refusal" r WHERE r."tenantId" = ${tenantId}::uuid AND r."until" > ${toDate(now)}`;
}

/** Whose refusals are asked for; of a task that waits in its group those of all its tasks, which are alike. */
type OwnRefusals = Pick<ExecutionRow, 'id' | 'groupId' | 'state' | 'processors' | 'walltimeSeconds'>;

/**
 * The queues of sites that have refused an execution itself, each once with its newest words.
 * @param forSeconds how long a refusal counts
 */
export async function listOwnRefusals(
  db: Db,
  execution: OwnRefusals,
  now: EpochSeconds,
  forSeconds: number,
): Promise<Refusal[]> {
  const { id: executionId, groupId, state, processors, walltimeSeconds } = execution;
  const resolvedAfter = now - forSeconds;
  const rows =
    groupId !== null && state === 'REQUESTED'
      ? await listRejected(db, { groupId }, resolvedAfter)
      : await listOwnRejected(db, { executionId, resolvedAfter });
  const newest = new Map(rows.map((row) => [`${row.siteId} ${row.queue}`, row]));
  return [...newest.values()].map(({ siteId, queue, siteSays, resolvedAt }) => ({
    siteId,
    queue,
    scope: 'JOB',
    processors,
    walltimeSeconds,
    siteSays: (siteSays ?? '').slice(0, LONGEST_WORDS),
    until: (resolvedAt?.getTime() ?? 0) / 1000 + forSeconds,
  }));
}

/** Submissions that were refused after a moment, oldest first. */
function listRejected(db: Db, execution: Prisma.ExecutionWhereInput, resolvedAfter: EpochSeconds) {
  return db.submission.findMany({
    where: { execution, state: 'REJECTED', resolvedAt: { gt: toDate(resolvedAfter) } },
    orderBy: { resolvedAt: 'asc' },
  });
}

const listOwnRejected = gathered(
  ANY,
  async (db, asked: readonly { readonly executionId: string; readonly resolvedAfter: EpochSeconds }[]) => {
    const ids = padded(asked.map(({ executionId }) => executionId));
    const rows = await db.submission.findMany({
      where: { executionId: { in: ids }, state: 'REJECTED' },
      orderBy: { resolvedAt: 'asc' },
    });
    return asked.map(({ executionId, resolvedAfter }) =>
      rows.filter(
        (row) => row.executionId === executionId && row.resolvedAt !== null && row.resolvedAt > toDate(resolvedAfter),
      ),
    );
  },
);

/** Forgets what a site refused in queues that are not as they were. */
export async function forgetQueueRefusals(
  tx: Db,
  siteId: string,
  scopes: readonly RefusalScope[],
  queues: readonly string[],
): Promise<void> {
  if (queues.length === 0) return;
  await tx.refusal.deleteMany({ where: { siteId, scope: { in: [...scopes] }, queue: { in: [...queues] } } });
}

/** Forgets that sites have as many jobs of a tenant as they take. */
export async function forgetJobLimits(db: Db, tenantId: string, siteIds: readonly string[]): Promise<void> {
  await db.refusal.deleteMany({ where: { tenantId, siteId: { in: [...siteIds] }, scope: 'JOB_LIMIT' } });
}

function keyOf({ siteId, tenantId, queue }: RefusedSubmission) {
  return { siteId, tenantId, queue: queue ?? '' };
}

const LONGEST_WORDS = 300;
const MOST_SIZES = 32;
