import type { EpochSeconds } from '../../../domain/clock.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { submissionKey } from '../../../domain/submission.ts';
import { LIMITED_ALONE_SECONDS, type Prospect, prospectsIn } from '../../../plan/prospects.ts';
import { holdsInEveryQueue } from '../../../plan/refusals.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { type ProspectChange, saveProspects } from '../../../store/prospects.ts';
import { noteRefusal, type RefusedSubmission, type SaidOfSubmission } from '../../../store/refusals.ts';
import type { FlowContext } from '../../context.ts';
import { scopeFor } from '../refusals/refusals.ts';

/** What was taken in, and what the site says of it. */
interface Stuck {
  readonly submission: RefusedSubmission;
  readonly said: Omit<SaidOfSubmission, 'refusedAt' | 'until'>;
}

/** A job in the queue of a site, and what that says of it. */
interface JudgedJob {
  readonly execution: ExecutionRow;
  readonly prospect: Prospect;
  readonly siteSays: string;
}

/**
 * Keeps in mind what a site has taken in and, by its own word, never starts, or does not start though nothing else runs
 * under the limit that it names. To others of the tenant that is as good as a refusal: of many that are alike one tells
 * it. The jobs themselves look, each in its turn, whether another site takes them.
 */
export async function noteNeverStarting(
  context: FlowContext,
  siteId: string,
  tracked: readonly ExecutionRow[],
  snapshot: Snapshot,
): Promise<void> {
  const now = context.clock.now();
  const queued = toldOf(tracked, snapshot);
  const changes = queued.map((told) => changeOf(told, now)).filter((change) => change !== null);
  await saveProspects(context.database, siteId, changes, now);
  const stuck = queued.filter((told) => isStuck(told, now));
  if (stuck.length > 0) await noteForOthers(context, siteId, stuck);
}

/** Of jobs that do not just wait so many as may be read in one look; of others all. */
function toldOf(tracked: readonly ExecutionRow[], snapshot: Snapshot): JudgedJob[] {
  const prospectOf = prospectsIn(snapshot);
  const waiting = new Map<string, Omit<JudgedJob, 'execution'>>();
  let read = 0;
  for (const job of snapshot.waiting) {
    if (job.key === null) continue;
    const prospect = prospectOf(job);
    if (prospect === 'WAITS' || read++ < MOST_READ) waiting.set(job.key, { prospect, siteSays: job.reason ?? '' });
  }
  return tracked.flatMap((execution) => {
    const told = execution.state === 'QUEUED' ? waiting.get(keyOf(execution)) : undefined;
    return told ? [{ execution, ...told }] : [];
  });
}

function isStuck({ execution, prospect }: JudgedJob, now: EpochSeconds): boolean {
  if (prospect !== 'LIMITED_ALONE') return prospect === 'NEVER';
  return now - (execution.limitedAloneSince ?? now) >= LIMITED_ALONE_SECONDS;
}

/** What is to be written of a job; null for nothing new. */
function changeOf(told: JudgedJob, now: EpochSeconds): ProspectChange | null {
  const { execution, prospect, siteSays } = told;
  const limitedAloneSince = prospect === 'LIMITED_ALONE' ? (execution.limitedAloneSince ?? now) : null;
  const neverStartsSince = isStuck(told, now) ? (execution.neverStartsSince ?? now) : null;
  const isSame = limitedAloneSince === execution.limitedAloneSince && neverStartsSince === execution.neverStartsSince;
  if (isSame) return null;
  return { executionId: execution.id, key: keyOf(execution), siteSays, limitedAloneSince, neverStartsSince };
}

async function noteForOthers(
  { clock, database, settings }: FlowContext,
  siteId: string,
  stuck: readonly JudgedJob[],
): Promise<void> {
  const byKey = new Map(stuck.map((told) => [keyOf(told.execution), told]));
  const accepted = { key: { in: [...byKey.keys()] }, siteId, state: 'ACCEPTED' as const };
  const unlike = new Map<string, Stuck>();
  for (const { key, queue, account, qos } of await database.db.submission.findMany({ where: accepted })) {
    const told = byKey.get(key);
    if (!told) continue;
    const { execution, siteSays } = told;
    const scope = scopeFor(execution, siteSays, siteId);
    const { tenantId, processors, walltimeSeconds, submittedWalltimeSeconds } = execution;
    const size = { processors, walltimeSeconds: submittedWalltimeSeconds ?? walltimeSeconds };
    const submission = { siteId, tenantId, queue: holdsInEveryQueue(scope, siteSays) ? null : queue, ...size };
    const one = { submission, said: { scope, siteSays, account, qos } };
    unlike.set(JSON.stringify(one), one);
  }
  const refusedAt = clock.now();
  const until = refusedAt + settings.refusalSeconds;
  await database.transaction(async (tx) => {
    for (const { submission, said } of [...unlike.values()].slice(0, MOST_NOTED)) {
      await noteRefusal(tx, submission, { ...said, refusedAt, until });
    }
  });
}

function keyOf({ id, attempts }: ExecutionRow): string {
  return submissionKey(id, attempts);
}

/** Jobs of one look. */
const MOST_READ = 500;
const MOST_NOTED = 32;
