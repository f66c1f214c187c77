import type { EpochSeconds } from '../../domain/clock.ts';
import { plannedWalltimeSeconds } from '../../domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../domain/snapshot.ts';
import { Cluster } from '../../sim/cluster.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import { POLICIES } from '../../sim/policy.ts';

/**
 * What a site would say at a later moment if nobody came until then: its jobs run as long as they are taken to, and
 * those that wait start as EASY lets them.
 * @param totalSeconds from its start to its end, of every job
 */
export function stateThen(
  state: Snapshot,
  at: EpochSeconds,
  totalSeconds: (job: WaitingJob | RunningJob) => number,
): Snapshot {
  const { observedAt, processors } = state;
  const cluster = new Cluster({ processors, policy: POLICIES.easy, fromAt: observedAt });
  const jobs: readonly (WaitingJob | RunningJob)[] = [...state.running, ...state.waiting];
  for (const job of jobs) cluster.submit(asIfNew(job, observedAt, totalSeconds(job)));
  cluster.advanceTo(at);
  const { startAt } = cluster.table.columns;
  const nameOf = (row: number) => jobs[row] as WaitingJob | RunningJob;
  return {
    ...state,
    observedAt: at,
    freeProcessors: cluster.freeProcessors,
    waiting: Array.from(cluster.waiting(), nameOf),
    running: Array.from(cluster.running(), (row): RunningJob => ({ startAt: startAt[row] as number, ...nameOf(row) })),
  };
}

/** A job with what is left of it; one that should have ended by now ends in a second. */
function asIfNew(job: WaitingJob | RunningJob, now: EpochSeconds, totalSeconds: number): SimulatedJob {
  const elapsedSeconds = 'startAt' in job ? now - job.startAt : 0;
  const walltimeSeconds = Math.max(1, plannedWalltimeSeconds(job) - elapsedSeconds);
  const runSeconds = Math.min(walltimeSeconds, Math.max(1, totalSeconds - elapsedSeconds));
  return { submitAt: now, processors: job.processors, walltimeSeconds, runSeconds };
}
