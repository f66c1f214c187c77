import type { RunningJob, Snapshot, WaitingJob } from '../domain/snapshot.ts';
import type { Cluster } from './cluster.ts';

/** What a cluster would say of itself now; a job's native id is its index. */
export function clusterSnapshot(cluster: Cluster): Snapshot {
  const { now: observedAt, processors, freeProcessors } = cluster;
  const { startAt } = cluster.table.columns;
  const waiting = Array.from(cluster.waiting(), (job) => shownJob(cluster, job));
  const running = Array.from(cluster.running(), (job): RunningJob => {
    return { ...shownJob(cluster, job), startAt: startAt[job] as number };
  });
  return { observedAt, processors, freeProcessors, waiting, running };
}

/** What a site shows of one job, whether or not it has started. */
export function shownJob(cluster: Cluster, job: number): WaitingJob {
  const { processors, walltimeSeconds, submitAt } = cluster.table.columns;
  return {
    nativeId: String(job),
    key: null,
    user: null,
    queue: null,
    processors: processors[job] as number,
    requestedWalltimeSeconds: walltimeSeconds[job] as number,
    submitAt: submitAt[job] as number,
  };
}
