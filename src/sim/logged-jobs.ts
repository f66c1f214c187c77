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
  private readonly machine: MachineOfLog;

  constructor(
    private readonly workload: Workload,
    machineProcessors: number,
    ties: TieRule = 'ends-first',
  ) {
    this.machine = { machineProcessors, ties, longestSeconds: longestWalltimeSeconds(workload) };
  }

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
    return toSimulatedJob(this.workload, number, this.machine, this.remarks);
  }

  cardOf(number: number): JobCard {
    return { user: this.workload.userOf(number), queue: this.workload.queueOf(number), key: null };
  }
}

/**
 * What a logged job asks of the machine: what its submission told, and never what was learned of it later. Without a
 * requested time it asks for the longest that there is. A job that ran beyond its request is cut to it. One that never
 * ran runs one second, on one processor when it was allocated none: in the log it left the queue without ever having
 * held the machine. A job larger than the machine is left out and counted. Under `pyss` ties it is all as PySS reads
 * it: such a job is cut to the machine, overrunners ask for their true runtime, and who never ran for one second.
 * @param longestSeconds the longest walltime that the site grants
 * @returns null for a job that is left out
 */
export function toSimulatedJob(
  workload: Workload,
  index: number,
  { machineProcessors, longestSeconds, ties }: MachineOfLog,
  remarks: Remarks,
): SimulatedJob | null {
  const columns = workload.columns;
  const submitAt = columns.submitAt[index] as number;
  const runSeconds = columns.runSeconds[index] as number;
  const requested = columns.requestedSeconds[index] as number;
  const isAsPyss = ties === 'pyss';
  const allocated = columns.allocatedProcessors[index] as number;
  if (allocated > machineProcessors && !isAsPyss) {
    remark(remarks, 'larger than the machine, skipped');
    return null;
  }
  if (allocated > machineProcessors) remark(remarks, 'larger than the machine, cut to it');
  const processors = Math.max(1, Math.min(allocated, machineProcessors));
  const hasRun = runSeconds > 0 && allocated > 0;
  if (!hasRun) remark(remarks, 'no positive runtime or size, runs 1 s');
  if (isAsPyss) return { submitAt, processors, ...(hasRun ? readByPyss(requested, runSeconds) : ONE_SECOND) };
  if (requested <= 0) remark(remarks, 'no requested time, asks for the longest there is');
  const walltimeSeconds = requested > 0 ? requested : longestSeconds;
  if (runSeconds > walltimeSeconds) remark(remarks, 'ran beyond its requested time, cut to it');
  return { submitAt, processors, walltimeSeconds, runSeconds: hasRun ? Math.min(walltimeSeconds, runSeconds) : 1 };
}

/** The machine that a log's jobs are given to. */
export interface MachineOfLog {
  readonly machineProcessors: number;
  readonly longestSeconds: number;
  readonly ties: TieRule;
}

/**
 * The longest walltime that a log's site grants: what its header says, else the longest request, else the longest run.
 * It is the same for every job and so tells nothing of any.
 */
export function longestWalltimeSeconds(workload: Workload): number {
  const stated = Number.parseInt(workload.header.get('MaxRuntime') ?? '', 10);
  if (stated > 0) return stated;
  const { requestedSeconds, runSeconds } = workload.columns;
  const longestOf = (column: Float64Array) =>
    column.subarray(0, workload.length).reduce((longest, seconds) => Math.max(longest, seconds), 0);
  return longestOf(requestedSeconds) || longestOf(runSeconds) || 1;
}

const ONE_SECOND = { walltimeSeconds: 1, runSeconds: 1 };

function readByPyss(requested: number, runSeconds: number): Pick<SimulatedJob, 'walltimeSeconds' | 'runSeconds'> {
  return {
    walltimeSeconds: Math.max(requested, runSeconds),
    runSeconds: Math.max(1, Math.min(requested, runSeconds)),
  };
}
