import type { JobRecord } from '../domain/job.ts';
import type { NativeJob } from '../domain/site-adapter.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../domain/snapshot.ts';
import type { Cluster } from './cluster.ts';
import { type JobCard, NOBODY } from './job-source.ts';
import { JobState, outcomeOf } from './job-table.ts';

/** Who submitted the job of that index. */
export type CardOf = (job: number) => JobCard;

/** The name of a job at its site. */
export function nativeIdOf(job: number): string {
  return String(job + 1);
}

/** The index of the job of that name; null when the cluster has none. */
export function jobNamed(cluster: Cluster, nativeId: string): number | null {
  const job = Number(nativeId) - 1;
  return Number.isInteger(job) && job >= 0 && job < cluster.table.length ? job : null;
}

/** What a cluster would say of itself now. */
export function clusterSnapshot(cluster: Cluster, cardOf: CardOf = () => NOBODY): Snapshot {
  const { now: observedAt, processors, freeProcessors } = cluster;
  const { startAt } = cluster.table.columns;
  const waiting = Array.from(cluster.waiting(), (job) => shownJob(cluster, job, cardOf(job)));
  const running = Array.from(cluster.running(), (job): RunningJob => {
    return { ...shownJob(cluster, job, cardOf(job)), startAt: startAt[job] as number };
  });
  return { observedAt, processors, freeProcessors, waiting, running };
}

/** What a site shows of one job, whether or not it has started. */
export function shownJob(cluster: Cluster, job: number, card: JobCard): WaitingJob {
  const { user, queue, key, account, group, program } = card;
  const { processors, walltimeSeconds, submitAt } = cluster.table.columns;
  return {
    nativeId: nativeIdOf(job),
    key,
    user,
    queue,
    processors: processors[job] as number,
    requestedWalltimeSeconds: walltimeSeconds[job] as number,
    submitAt: submitAt[job] as number,
    ...(account !== undefined && { account }),
    ...(group !== undefined && { group }),
    ...(program !== undefined && { program }),
  };
}

/** A job's history up to and including `visibleUntil`; all of it unless told. */
export function recordedJob(
  cluster: Cluster,
  job: number,
  card: JobCard,
  visibleUntil = Number.POSITIVE_INFINITY,
): JobRecord {
  const columns = cluster.table.columns;
  const { key: _, ...known } = shownJob(cluster, job, card);
  const startAt = columns.startAt[job] as number;
  const hasEnded = columns.state[job] === JobState.ENDED && (columns.endAt[job] as number) <= visibleUntil;
  const outcome = hasEnded ? outcomeOf(columns.outcome[job] as number) : null;
  return {
    ...known,
    startAt: startAt <= visibleUntil ? startAt : null,
    endAt: hasEnded ? (columns.endAt[job] as number) : null,
    outcome,
    // What it used is known of its whole run.
    ...(card.use !== undefined && (outcome === 'COMPLETED' || outcome === 'FAILED') && { use: card.use }),
  };
}

/** What queue and accounting of a cluster say of a job now, as far as it runs its course: not how its script ended. */
export function nativeJobOf(cluster: Cluster, job: number): NativeJob {
  const columns = cluster.table.columns;
  const ref = { nativeId: nativeIdOf(job), submittedAt: columns.submitAt[job] as number };
  const startAt = columns.startAt[job] as number;
  const outcome = outcomeOf(columns.outcome[job] as number);
  if (columns.state[job] === JobState.RUNNING) return { ...ref, state: 'RUNNING', startAt, endAt: null, outcome: null };
  if (columns.state[job] !== JobState.ENDED || outcome === null) {
    return { ...ref, state: 'WAITING', startAt: null, endAt: null, outcome: null };
  }
  const endAt = columns.endAt[job] as number;
  return { ...ref, state: 'ENDED', startAt: Number.isNaN(startAt) ? null : startAt, endAt, outcome, exitCode: null };
}
