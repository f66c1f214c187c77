import type { JobRecord } from '../../domain/job.ts';
import { generateWorkload } from '../../sim/generator.ts';
import { POLICIES } from '../../sim/policy.ts';
import { simulate } from '../../sim/simulate.ts';

/** What became of a generated site's jobs under EASY at a load of .8. */
export function simulatedRecords(seed: number, jobs: number, machine: number): JobRecord[] {
  const workload = generateWorkload({ seed, load: 0.8, processors: machine, fromAt: 0 }, jobs);
  const { cluster, jobOf } = simulate(workload, { processors: machine, policy: POLICIES.easy });
  const { submitAt, startAt, endAt, processors, walltimeSeconds } = cluster.table.columns;
  return Array.from(jobOf, (job, i) => ({
    nativeId: String(i),
    user: String(workload.columns.user[job]),
    queue: null,
    processors: processors[i] as number,
    requestedWalltimeSeconds: walltimeSeconds[i] as number,
    submitAt: submitAt[i] as number,
    startAt: startAt[i] as number,
    endAt: endAt[i] as number,
    outcome: 'COMPLETED' as const,
  }));
}
