import type { EpochSeconds } from '../../../domain/clock.ts';
import { SiteFailure } from '../../../domain/failures.ts';
import type { QueueFacts } from '../../../domain/site.ts';
import type { NativeJob, NativeRef, SiteAdapter } from '../../../domain/site-adapter.ts';
import type { Snapshot, WaitingJob } from '../../../domain/snapshot.ts';
import { submissionKey } from '../../../domain/submission.ts';
import { isNews } from '../../../plan/reservation/life.ts';
import type { ChangedBySite } from '../../../store/changed-by-site.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import type { FlowContext } from '../../context.ts';
import { PartlyBelieved } from '../../partly-believed.ts';

/** What was seen of an execution's native job: the job, or nothing at all although queue and accounting were asked. */
export interface Sighting {
  readonly execution: ExecutionRow;
  readonly job: NativeJob | null;
  readonly observedAt: EpochSeconds;
}

/**
 * Looks the tracked executions up in a snapshot: what is new of those that it shows, and those that are missing there.
 */
export function sightings(
  tracked: readonly ExecutionRow[],
  snapshot: Snapshot,
): { readonly seen: Sighting[]; readonly missing: ExecutionRow[] } {
  const { observedAt } = snapshot;
  const listed = new Map<string, WaitingJob | Snapshot['running'][number]>();
  for (const job of [...snapshot.waiting, ...snapshot.running]) listed.set(job.nativeId, job);

  const seen: Sighting[] = [];
  const missing: ExecutionRow[] = [];
  for (const execution of tracked) {
    const job = listed.get(execution.nativeId ?? '');
    if (job && isSameJob(execution, job)) seen.push({ execution, job: asNativeJob(job), observedAt });
    // A job accepted after the listing was made cannot be in it.
    else if ((execution.nativeSubmittedAt ?? 0) < observedAt) missing.push(execution);
  }
  return { seen: seen.filter(isOfNews), missing };
}

/**
 * What a snapshot shows of the jobs of executions that is not on record: another queue, or another walltime. Admins
 * change both, and queues that only route change the first. A word that is no queue of the site, as of a job that waits
 * in several, counts for nothing, nor does a walltime that is only rounded.
 */
export function changedBySite(
  tracked: readonly ExecutionRow[],
  snapshot: Snapshot,
  queues: readonly Pick<QueueFacts, 'name'>[],
): ChangedBySite[] {
  const names = new Set(queues.map(({ name }) => name));
  const own = [...snapshot.waiting, ...snapshot.running].filter(({ key }) => key !== null);
  const byId = new Map(own.map((job) => [job.nativeId, job]));
  return tracked.flatMap((execution) => {
    const job = byId.get(execution.nativeId ?? '');
    if (!job || !isSameJob(execution, job)) return [];
    const { id, siteQueue: queueBefore, submittedWalltimeSeconds: walltimeBefore } = execution;
    const siteQueue = job.queue !== null && names.has(job.queue) ? job.queue : queueBefore;
    const isOther = walltimeBefore !== null && differs(job.requestedWalltimeSeconds, walltimeBefore);
    const submittedWalltimeSeconds = isOther ? job.requestedWalltimeSeconds : walltimeBefore;
    if (siteQueue === queueBefore && !isOther) return [];
    return [{ id, siteQueue, submittedWalltimeSeconds }];
  });
}

/** Sites that count walltimes in minutes tell up to a minute more than they were asked for. */
function differs(toldSeconds: number | null, askedSeconds: number): boolean {
  return toldSeconds !== null && Math.abs(toldSeconds - askedSeconds) >= 60;
}

/**
 * What queue or accounting say of executions that are missing in a snapshot, where it is new, or nothing at all.
 * @returns beside that, why some of them are not among these: what was said of their jobs cannot be
 */
export async function sightingsOfMissing(
  adapter: SiteAdapter,
  missing: readonly ExecutionRow[],
  observedAt: EpochSeconds,
): Promise<{ readonly told: Sighting[]; readonly doubt: PartlyBelieved | null }> {
  if (missing.length === 0) return { told: [], doubt: null };
  const { answers, doubt } = await believedAnswers(adapter, missing);
  const believed = missing.filter(({ nativeId }) => !doubt?.doubted.has(nativeId ?? ''));
  const told = believed.map((execution) => ({ execution, job: ownJob(answers, execution), observedAt }));
  return { told: told.filter(isOfNews), doubt };
}

async function believedAnswers(adapter: SiteAdapter, executions: readonly ExecutionRow[]) {
  try {
    return { answers: await adapter.inspect(executions.map(nativeRef)), doubt: null };
  } catch (error) {
    if (!(error instanceof PartlyBelieved)) throw error;
    return { answers: error.believed, doubt: error };
  }
}

function isOfNews({ execution, job }: Sighting): boolean {
  return job === null || isNews(execution, job);
}

/** What queue or accounting say of the executions' native jobs, in their order; null where neither mentions the job. */
export async function inspectJobs(
  adapter: SiteAdapter,
  executions: readonly ExecutionRow[],
): Promise<(NativeJob | null)[]> {
  const answers = await adapter.inspect(executions.map(nativeRef));
  return executions.map((execution) => ownJob(answers, execution));
}

/** Null where the site has no such job, or another one under its id. */
function ownJob(answers: ReadonlyMap<string, NativeJob>, execution: ExecutionRow): NativeJob | null {
  const job = answers.get(execution.nativeId ?? '');
  const isOther = job?.key !== undefined && job.key !== nativeRef(execution).key;
  return isOther ? null : (job ?? null);
}

/** What the site says, when it is asked now, that the job does; null where it says nothing or cannot be asked. */
export async function askPhase(
  { logger }: FlowContext,
  adapter: SiteAdapter,
  execution: ExecutionRow,
): Promise<NativeJob['state'] | null> {
  try {
    const [job] = await inspectJobs(adapter, [execution]);
    return job?.state ?? null;
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    const { id: executionId, requestId, nativeId } = execution;
    logger.warn({ requestId, executionId, nativeId, kind: error.kind, err: error }, 'not known what it does');
    return null;
  }
}

/** Sites reuse ids, some within seconds, so an id proves nothing: the key must match. */
function isSameJob(execution: ExecutionRow, job: WaitingJob): boolean {
  return job.key === submissionKey(execution.id, execution.attempts);
}

function asNativeJob(job: WaitingJob | Snapshot['running'][number]): NativeJob {
  const ref = { nativeId: job.nativeId, submittedAt: job.submitAt, endAt: null, outcome: null };
  return 'startAt' in job
    ? { ...ref, state: 'RUNNING', startAt: job.startAt }
    : { ...ref, state: 'WAITING', startAt: null };
}

/** An execution's job at its site, with the key of its newest attempt. */
export function nativeRef(execution: ExecutionRow): NativeRef & { readonly key: string } {
  const key = submissionKey(execution.id, execution.attempts);
  return { nativeId: execution.nativeId ?? '', submittedAt: execution.nativeSubmittedAt ?? 0, key };
}
