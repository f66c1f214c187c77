import type { RuntimeBelief } from './belief.ts';
import { Cluster } from './cluster.ts';
import type { SimulatedJob } from './job-table.ts';
import type { Outage } from './outage.ts';
import type { Policy, TieRule } from './policy.ts';
import { type Remarks, remark, type Workload } from './workload.ts';

export interface SimulateOptions {
  readonly processors: number;
  readonly policy: Policy;
  readonly ties?: TieRule;
  readonly processorsPerNode?: number;
  readonly belief?: RuntimeBelief;
  readonly outages?: readonly Outage[];
  /** Told now and then how many of how many jobs have been submitted. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What became of every job of a workload. Row i of `cluster.table` is job `jobOf[i]` of the workload. */
export interface Simulation {
  readonly cluster: Cluster;
  readonly jobOf: Int32Array;
  /** What was changed or left out on the way from the log to the machine. */
  readonly remarks: Remarks;
}

/** Runs a whole workload through one cluster until the last job has ended. */
export function simulate(workload: Workload, options: SimulateOptions): Simulation {
  const cluster = new Cluster({ ...options, expectedJobs: workload.length });
  const jobOf = new Int32Array(workload.length);
  const remarks: Remarks = new Map();
  let count = 0;
  for (let index = 0; index < workload.length; index++) {
    const job = toSimulatedJob(workload, index, options.processors, options.ties ?? 'ends-first', remarks);
    if (!job) continue;
    jobOf[count++] = index;
    if (job.submitAt > cluster.now) cluster.advanceTo(job.submitAt - 1);
    cluster.submit(job);
    if ((index & 0x3fff) === 0) options.onProgress?.(index, workload.length);
  }
  cluster.advanceTo(Number.POSITIVE_INFINITY);
  options.onProgress?.(workload.length, workload.length);
  return { cluster, jobOf: jobOf.subarray(0, count), remarks };
}

/**
 * What a logged job asks of the machine. The requested walltime is at least the logged runtime where the log lets jobs overrun,
 * the runtime is cut to what was requested; a job without a positive runtime or size runs
 * one second, on one processor when it was allocated none. A job larger than the
 * machine is left out and counted, under `pyss` ties cut to the machine and counted.
 * @returns null for a job that is left out
 */
export function toSimulatedJob(
  workload: Workload,
  index: number,
  machineProcessors: number,
  ties: TieRule,
  remarks: Remarks,
): SimulatedJob | null {
  const columns = workload.columns;
  const submitAt = columns.submitAt[index] as number;
  const runSeconds = columns.runSeconds[index] as number;
  const allocated = columns.allocatedProcessors[index] as number;
  const requested = columns.requestedSeconds[index] as number;
  if (allocated > machineProcessors && ties !== 'pyss') {
    remark(remarks, 'larger than the machine, skipped');
    return null;
  }
  if (allocated > machineProcessors) remark(remarks, 'larger than the machine, cut to it');
  const size = Math.max(1, Math.min(allocated, machineProcessors));
  if (runSeconds <= 0 || allocated <= 0) {
    remark(remarks, 'no positive runtime or size, runs 1 s');
    return { submitAt, processors: size, walltimeSeconds: 1, runSeconds: 1 };
  }
  if (requested <= 0 && ties !== 'pyss') {
    remark(remarks, 'no requested time, the runtime stands in');
    return { submitAt, processors: size, walltimeSeconds: runSeconds, runSeconds };
  }
  if (runSeconds > requested) remark(remarks, 'ran beyond its requested time, cut to it');
  return {
    submitAt,
    processors: size,
    walltimeSeconds: Math.max(requested, runSeconds),
    runSeconds: Math.max(1, Math.min(requested, runSeconds)),
  };
}
