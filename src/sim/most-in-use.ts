import type { Workload } from './workload.ts';

/** The most processors that jobs of a workload held at once; 0 where no start is known. Ends count before starts. */
export function mostInUse({ length, columns }: Workload): number {
  const changes: [at: number, processors: number][] = [];
  for (let job = 0; job < length; job++) {
    const [wait, ran] = [columns.waitSeconds[job] as number, columns.runSeconds[job] as number];
    const processors = columns.allocatedProcessors[job] as number;
    if (wait < 0 || ran < 0 || processors <= 0) continue;
    const startAt = (columns.submitAt[job] as number) + wait;
    changes.push([startAt, processors], [startAt + ran, -processors]);
  }
  changes.sort(([at, by], [otherAt, otherBy]) => at - otherAt || by - otherBy);
  let [inUse, most] = [0, 0];
  for (const [, processors] of changes) {
    inUse += processors;
    most = Math.max(most, inUse);
  }
  return most;
}
