import { generateWorkload } from '../sim/generator.ts';
import { measure, type ScheduleMetrics } from '../sim/metrics.ts';
import type { Outage } from '../sim/outage.ts';
import { POLICIES, type PolicyName, type TieRule } from '../sim/policy.ts';
import { readWorkload } from '../sim/read-workload.ts';
import { type Simulation, simulate } from '../sim/simulate.ts';
import type { Workload } from '../sim/workload.ts';
import { WorkloadError } from '../sim/workload-error.ts';
import { writeLines } from '../sim/write-lines.ts';

/** Where the jobs come from: a log (SWF, `sacct -P`, CSV; plain or gzip), or the generator. */
export type WorkloadSource =
  | { readonly trace: string }
  | {
      readonly generated: {
        readonly seed: number;
        readonly load: number;
        readonly processors: number;
        readonly jobs: number;
      };
    };

export interface SimulateTraceOptions {
  readonly source: WorkloadSource;
  readonly policy: PolicyName;
  readonly ties?: TieRule;
  /** Size of the machine; that of the log's header unless told. */
  readonly processors?: number;
  /** The jobs to take, by their order in the log; all unless told. */
  readonly range?: { readonly from: number; readonly count: number };
  readonly outages?: readonly Outage[];
  /** Writes jobId,submitAt,startAt,endAt of every job to this file, compressed when it ends in `.gz`. */
  readonly csv?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface SimulateTraceReport extends ScheduleMetrics {
  readonly trace: string;
  readonly policy: PolicyName;
  readonly ties: TieRule;
  readonly processors: number;
  /** What was changed or left out, and how often. */
  readonly remarks: readonly { readonly reason: string; readonly count: number }[];
}

/**
 * Simulates a log under a policy: what `gridcast simulate` does.
 * @throws WorkloadError for a log that cannot be read, or whose header does not state the size of the machine
 */
export async function simulateTrace(options: SimulateTraceOptions): Promise<SimulateTraceReport> {
  const whole = await workloadOf(options.source);
  const workload = options.range ? takenOf(whole, options.range) : whole;
  const processors = machineOf(workload, options.processors);
  const ties = options.ties ?? 'ends-first';
  const simulation = simulate(workload, {
    processors,
    ties,
    policy: POLICIES[options.policy],
    ...(options.outages ? { outages: options.outages } : {}),
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  });
  if (simulation.jobOf.length === 0) {
    throw new WorkloadError(workload.name, null, `no job of it fits a machine of ${processors} processors`);
  }
  if (options.csv) await writeLines(options.csv, csvLines(workload, simulation));
  const remarks = [...workload.remarks, ...simulation.remarks].map(([reason, count]) => ({ reason, count }));
  return { trace: workload.name, policy: options.policy, ties, processors, ...measure(simulation), remarks };
}

/** Reads or generates the jobs. */
export function workloadOf(source: WorkloadSource): Promise<Workload> {
  if ('trace' in source) return readWorkload(source.trace);
  const { seed, load, processors, jobs } = source.generated;
  return Promise.resolve(generateWorkload({ seed, load, processors, fromAt: 0 }, jobs));
}

/** The jobs of a range. @throws WorkloadError where there are none */
export function takenOf(whole: Workload, { from, count }: { readonly from: number; readonly count: number }): Workload {
  const taken = whole.slice(from, count);
  if (taken.length > 0) return taken;
  throw new WorkloadError(
    whole.name,
    null,
    `it has ${whole.length} jobs, 0 to ${whole.length - 1}, none from ${from} on`,
  );
}

/** The size of the machine that a workload ran on, unless another one is told. */
export function machineOf(workload: Workload, told: number | undefined): number {
  const processors = told ?? workload.machineProcessors;
  if (processors === null || !(processors > 0)) {
    const { field, value } = workload.statedSize ?? {};
    const what = field
      ? `its header says "${field}: ${value}", which is no size of a machine`
      : 'its header does not state the size of the machine';
    throw new WorkloadError(workload.name, null, `${what}; tell --processors, or write \`; MaxProcs: N\` into it`);
  }
  return processors;
}

/** Header and one line a job, in the order of the log; a job that never started has empty times. */
function* csvLines(workload: Workload, { cluster, jobOf }: Simulation): Generator<string> {
  yield 'jobId,submitAt,startAt,endAt';
  const { submitAt, startAt, endAt } = cluster.table.columns;
  const moment = (at: number | undefined) => (at === undefined || Number.isNaN(at) ? '' : at);
  for (const [index, job] of jobOf.entries()) {
    yield `${workload.columns.id[job]},${submitAt[index]},${moment(startAt[index])},${moment(endAt[index])}`;
  }
}
