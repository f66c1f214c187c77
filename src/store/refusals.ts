import type { EpochSeconds } from '../domain/clock.ts';
import type { Refusal, RefusalScope } from '../domain/refusal.ts';
import type { Db } from './database.ts';
import type { ExecutionRow } from './executions.ts';
import { toDate } from './moments.ts';

/** A submission as a refusal is about it. */
export interface RefusedSubmission {
  readonly siteId: string;
  readonly tenantId: string;
  readonly queue: string | null;
  readonly processors: number;
  readonly walltimeSeconds: number;
}

/**
 * Keeps what a site refused to a tenant; the newest of each scope per queue, of a job limit for all of them. One about
 * a job alone is on record with its submission.
 */
export async function noteRefusal(
  tx: Db,
  submission: RefusedSubmission,
  said: { scope: RefusalScope; siteSays: string; refusedAt: EpochSeconds; until: EpochSeconds },
): Promise<void> {
  if (said.scope === 'JOB') return;
  const { processors, walltimeSeconds } = submission;
  const key = { ...keyOf(submission), ...(said.scope === 'JOB_LIMIT' ? EVERY_QUEUE : {}) };
  const news = {
    processors,
    walltimeSeconds,
    siteSays: said.siteSays.slice(0, LONGEST_WORDS),
    refusedAt: toDate(said.refusedAt),
    until: toDate(said.until),
  };
  const id = { ...key, scope: said.scope };
  await tx.refusal.upsert({ where: { siteId_tenantId_queue_scope: id }, create: { ...id, ...news }, update: news });
}

/**
 * Forgets the refusals that an accepted submission has disproved: of the queue and of access, and of sizes up to its
 * own.
 */
export async function clearRefusals(tx: Db, accepted: RefusedSubmission): Promise<void> {
  const { processors, walltimeSeconds } = accepted;
  const disproved = { processors: { lte: processors }, walltimeSeconds: { lte: walltimeSeconds } };
  const { queue, ...where } = keyOf(accepted);
  await tx.refusal.deleteMany({
    where: {
      ...where,
      OR: [
        { queue, scope: { in: ['QUEUE_FORBIDDEN', 'QUEUE_DOWN'] } },
        { queue, scope: 'SIZE', ...disproved },
        { ...EVERY_QUEUE, scope: 'JOB_LIMIT' },
      ],
    },
  });
}

/** What sites refuse to a tenant at a moment. */
export async function listRefusals(db: Db, tenantId: string, now: EpochSeconds): Promise<Refusal[]> {
  const rows = await db.refusal.findMany({ where: { tenantId, until: { gt: toDate(now) } } });
  return rows.map(({ siteId, queue, scope, processors, walltimeSeconds, siteSays, until }) => ({
    siteId,
    queue: queue === '' ? null : queue,
    scope,
    processors,
    walltimeSeconds,
    siteSays,
    until: until.getTime() / 1000,
  }));
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
  const whose = groupId !== null && state === 'REQUESTED' ? { execution: { groupId } } : { executionId };
  const rows = await db.submission.findMany({
    where: { ...whose, state: 'REJECTED', resolvedAt: { gt: toDate(now - forSeconds) } },
    orderBy: { resolvedAt: 'asc' },
  });
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

/** Forgets that sites have as many jobs of a tenant as they take. */
export async function forgetJobLimits(db: Db, tenantId: string, siteIds: readonly string[]): Promise<void> {
  await db.refusal.deleteMany({ where: { tenantId, siteId: { in: [...siteIds] }, scope: 'JOB_LIMIT' } });
}

function keyOf({ siteId, tenantId, queue }: RefusedSubmission) {
  return { siteId, tenantId, queue: queue ?? '' };
}

const EVERY_QUEUE = { queue: '' } as const;
const LONGEST_WORDS = 300;
