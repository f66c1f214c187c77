import type { JobRecord } from '../src/domain/job.ts';
import { generateWorkload } from '../src/sim/generator.ts';
import { POLICIES } from '../src/sim/policy.ts';
import { simulate } from '../src/sim/simulate.ts';

/** Jobs of a generated site as it ran them, in the order of submission. */
export function simulatedRecords(jobs: number, processors: number, load = 0.8): JobRecord[] {
  const workload = generateWorkload({ seed: 1, load, processors, fromAt: 0 }, jobs);
  const { cluster, jobOf } = simulate(workload, { processors, policy: POLICIES.easy });
  const { submitAt, startAt, endAt, processors: sizes, walltimeSeconds } = cluster.table.columns;
  return Array.from(jobOf, (job, i) => ({
    nativeId: String(i),
    user: String(workload.columns.user[job]),
    queue: null,
    processors: sizes[i] as number,
    requestedWalltimeSeconds: walltimeSeconds[i] as number,
    submitAt: submitAt[i] as number,
    startAt: startAt[i] as number,
    endAt: endAt[i] as number,
    outcome: 'COMPLETED' as const,
  }));
}

/** What of them is known at a moment. */
export function knownAt(records: readonly JobRecord[], at: number): JobRecord[] {
  return records
    .filter(({ submitAt }) => submitAt <= at)
    .map((record) => {
      const hasStarted = record.startAt !== null && record.startAt <= at;
      const hasEnded = record.endAt !== null && record.endAt <= at;
      return {
        ...record,
        startAt: hasStarted ? record.startAt : null,
        endAt: hasEnded ? record.endAt : null,
        outcome: hasEnded ? record.outcome : null,
      };
    });
}
