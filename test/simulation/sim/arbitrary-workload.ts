import fc from 'fast-check';
import { Cluster, type ClusterListener, type ClusterOptions } from '../../../src/sim/cluster.ts';
import type { SimulatedJob } from '../../../src/sim/job-table.ts';

export interface SmallWorkload {
  readonly processors: number;
  readonly jobs: readonly SimulatedJob[];
}

/**
 * Up to `most` jobs on a small machine, many of them at the same moments, none needing longer than it asked for unless
 * told.
 */
export function smallWorkload(most = 40, overrun = false): fc.Arbitrary<SmallWorkload> {
  return fc.integer({ min: 1, max: 16 }).chain((processors) =>
    fc
      .array(
        fc.record({
          pause: fc.integer({ min: 0, max: 12 }),
          processors: fc.integer({ min: 1, max: processors }),
          walltimeSeconds: fc.integer({ min: 1, max: 60 }),
          share: fc.integer({ min: 1, max: overrun ? 150 : 100 }),
        }),
        { minLength: 1, maxLength: most },
      )
      .map((drafts) => ({ processors, jobs: toJobs(drafts) })),
  );
}

function toJobs(
  drafts: readonly { pause: number; processors: number; walltimeSeconds: number; share: number }[],
): SimulatedJob[] {
  let submitAt = 0;
  return drafts.map(({ pause, processors, walltimeSeconds, share }) => {
    submitAt += pause;
    return { submitAt, processors, walltimeSeconds, runSeconds: Math.ceil((walltimeSeconds * share) / 100) };
  });
}

/** A cluster that knows all jobs and has not begun yet. */
export function loaded(
  workload: SmallWorkload,
  options: Omit<ClusterOptions, 'processors'>,
  listener: ClusterListener = {},
): Cluster {
  const cluster = new Cluster({ processors: workload.processors, ...options }, listener);
  for (const job of workload.jobs) cluster.submit(job);
  return cluster;
}

/** Moves from event to event and calls `look` after each. */
export function watch(cluster: Cluster, look: () => void): void {
  for (let at = cluster.nextEventAt(); at !== Number.POSITIVE_INFINITY; at = cluster.nextEventAt()) {
    cluster.advanceTo(at);
    look();
  }
}

/** Start of every job, by index. */
export function starts(cluster: Cluster): number[] {
  return Array.from(cluster.table.columns.startAt.subarray(0, cluster.table.length));
}
