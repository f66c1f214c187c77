import type { EpochSeconds } from '../domain/clock.ts';
import type { JobCard, JobSource } from './job-source.ts';
import type { SimulatedJob } from './job-table.ts';
import type { TieRule } from './policy.ts';
import { type Remarks, remark, type Workload } from './workload.ts';

/** The jobs of a log; their numbers are their places in it. */
export class LoggedJobs implements JobSource {
  /** What was changed or left out on the way from the log to the machine. */
  readonly remarks: Remarks = new Map();
  private taken = 0;

  constructor(
    private readonly workload: Workload,
    private readonly machineProcessors: number,
    private readonly ties: TieRule = 'ends-first',
  ) {}

  get nextSubmitAt(): EpochSeconds {
    return this.taken < this.workload.length
      ? (this.workload.columns.submitAt[this.taken] as number)
      : Number.POSITIVE_INFINITY;
  }

  take(): SimulatedJob | null {
    return this.jobAt(this.taken++);
  }

  /** A job as it asks for the machine, whether or not it has been taken; null when it is left out. */
  jobAt(number: number): SimulatedJob | null {
    return toSimulatedJob(this.workload, number, this.machineProcessors, this.ties, this.remarks);
  }

  cardOf(number: number): JobCard {
    return { user: this.workload.userOf(number), queue: this.workload.queueOf(number), key: null };
  }
}

/**
 * What a logged job asks of the machine. The requested walltime is at least the logged runtime where the log lets jobs
 * overrun, the runtime is cut to what was requested; a job without a positive runtime or size runs one second, on one
 * processor when it was allocated none. A job larger than the machine is left out and counted, under `pyss` ties cut to
 * the machine and counted.
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
