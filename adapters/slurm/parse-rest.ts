import { z } from 'zod';
import { exitCodeOf, hasNodes, reasonOf } from './parse-listing.ts';
import {
  baseState,
  type SlurmJob,
  type SlurmPartition,
  type SlurmProcessors,
  type SlurmReservation,
} from './slurm-job.ts';

const text = z.string().nullish();
const number = z.number().nullish();

const jobsDocument = z.object({
  jobs: z.array(
    z.object({
      job_id: z.number(),
      array_job_id: number,
      array_task_id: number,
      array_task_string: text,
      het_job_id: number,
      het_job_offset: number,
      name: text,
      user_name: text,
      partition: text,
      job_state: z.string(),
      cpus: number,
      time_limit: number,
      priority: number,
      submit_time: z.number(),
      start_time: number,
      end_time: number,
      nodes: text,
      exit_code: number,
      state_reason: text,
      state_description: text,
    }),
  ),
});
type RestJob = z.output<typeof jobsDocument>['jobs'][number];

/** Reads the document of `/slurm/<version>/jobs`. Tasks of an array that have no id of their own yet come as a job each. */
export function parseRestJobs(document: unknown): SlurmJob[] {
  return jobsDocument.parse(document).jobs.flatMap((job) => idsOf(job).map((id) => asJob(id, job)));
}

function asJob(id: string, job: RestJob): SlurmJob {
  return {
    id,
    name: job.name ?? '',
    user: job.user_name || null,
    partition: job.partition || null,
    state: baseState(job.job_state),
    processors: job.cpus ?? 0,
    timeLimitSeconds: minutes(job.time_limit),
    priority: job.priority ?? 0,
    submitAt: job.submit_time,
    startAt: job.start_time || null,
    endAt: job.end_time || null,
    hasNodes: hasNodes(job.nodes ?? ''),
    exitCode: typeof job.exit_code === 'number' ? exitCodeOf(job.exit_code) : null,
    reason: reasonOf(job.state_description || job.state_reason || ''),
  };
}

/** Ids as squeue --array writes them. */
function idsOf(job: RestJob): string[] {
  if (job.het_job_id) return [`${job.het_job_id}+${job.het_job_offset ?? 0}`];
  if (!job.array_job_id) return [String(job.job_id)];
  if (!job.array_task_string) return [`${job.array_job_id}_${job.array_task_id ?? 0}`];
  return taskNumbers(job.array_task_string).map((task) => `${job.array_job_id}_${task}`);
}

/** Numbers of a list like `2-3,7,10-20:5%4`: ranges with a step, and after the percent sign how many may run at once. */
export function taskNumbers(list: string): number[] {
  return (list.split('%')[0] ?? '').split(',').flatMap((part) => {
    const [, first = '', last = first, step = '1'] = /^(\d+)(?:-(\d+))?(?::(\d+))?$/.exec(part) ?? [];
    if (first === '') return [];
    const count = Math.floor((Number(last) - Number(first)) / Number(step)) + 1;
    return Array.from({ length: count }, (_, index) => Number(first) + index * Number(step));
  });
}

const accountingDocument = z.object({
  jobs: z
    .array(
      z.object({
        job_id: z.number(),
        array: z.object({ job_id: number, task_id: number }).nullish(),
        het: z.object({ job_id: number, job_offset: number }).nullish(),
        name: text,
        association: z.object({ user: text }).nullish(),
        user: text,
        partition: text,
        state: z.object({ current: z.string() }),
        required: z.object({ CPUs: number }).nullish(),
        tres: z.object({ allocated: z.array(z.object({ type: z.string(), count: number })).nullish() }).nullish(),
        time: z.object({ limit: number, submission: z.number(), start: number, end: number }),
        nodes: text,
      }),
    )
    .nullish(),
});
type RestRun = NonNullable<z.output<typeof accountingDocument>['jobs']>[number];

/** Reads the document of `/slurmdb/<version>/jobs`, without the runs of which slurmdbd has an end but no beginning yet. */
export function parseRestRuns(document: unknown): SlurmJob[] {
  const { jobs } = accountingDocument.parse(document);
  return (jobs ?? []).filter(({ partition }) => Boolean(partition)).map(asRun);
}

function asRun(run: RestRun): SlurmJob {
  const allocated = run.tres?.allocated?.find(({ type }) => type === 'cpu')?.count;
  return {
    id: runId(run),
    name: run.name ?? '',
    user: run.user || run.association?.user || null,
    partition: run.partition || null,
    state: baseState(run.state.current),
    processors: allocated || run.required?.CPUs || 0,
    timeLimitSeconds: minutes(run.time.limit),
    priority: 0,
    submitAt: run.time.submission,
    startAt: run.time.start || null,
    endAt: run.time.end || null,
    hasNodes: hasNodes(run.nodes ?? ''),
    // Its exit codes are wrong: up to 22.05 a script that ended with 7 is shown as SUCCESS with 0.
    exitCode: run.state.current === 'COMPLETED' ? 0 : null,
  };
}

function runId({ job_id, array, het }: RestRun): string {
  if (het?.job_id) return `${het.job_id}+${het.job_offset ?? 0}`;
  return array?.job_id ? `${array.job_id}_${array.task_id ?? 0}` : String(job_id);
}

const partitionsDocument = z.object({
  partitions: z.array(
    z.object({
      name: z.string(),
      flags: z.array(z.string()),
      state: z.string(),
      total_cpus: z.number(),
      total_nodes: z.number(),
      maximum_nodes_per_job: number,
      maximum_cpus_per_node: number,
      max_time_limit: number,
    }),
  ),
});

/** Reads the document of `/slurm/<version>/partitions`, where -1 stands for no limit. */
export function parseRestPartitions(document: unknown): SlurmPartition[] {
  return partitionsDocument.parse(document).partitions.map((partition) => ({
    name: partition.name,
    isDefault: partition.flags.includes('default'),
    isUp: partition.state === 'UP',
    state: partition.state,
    isForbidden: false,
    processors: partition.total_cpus,
    nodes: partition.total_nodes,
    maxNodes: limit(partition.maximum_nodes_per_job),
    maxProcessorsPerNode: limit(partition.maximum_cpus_per_node),
    maxSeconds: minutes(partition.max_time_limit),
  }));
}

const reservationsDocument = z.object({
  reservations: z.array(
    z.object({
      name: z.string(),
      start_time: z.number(),
      end_time: z.number(),
      core_count: number,
      tres: text,
      flags: z.array(z.string()).nullish(),
    }),
  ),
});

/** Reads the document of `/slurm/<version>/reservations`. */
export function parseRestReservations(document: unknown): SlurmReservation[] {
  return reservationsDocument.parse(document).reservations.map((reservation) => {
    const processors = /cpu=(\d+)/.exec(reservation.tres ?? '')?.[1];
    return {
      name: reservation.name,
      startAt: reservation.start_time,
      endAt: reservation.end_time,
      processors: processors === undefined ? (reservation.core_count ?? null) : Number(processors),
      isMaintenance: (reservation.flags ?? []).includes('MAINT'),
    };
  });
}

const nodesDocument = z.object({
  nodes: z.array(
    z.object({
      state: z.string(),
      state_flags: z.array(z.string()).nullish(),
      cpus: z.number(),
      alloc_cpus: number,
    }),
  ),
});

/**
 * Reads the document of `/slurm/<version>/nodes` as sinfo counts processors: idle ones only where jobs may be put. Up to v0.0.36 it does
 * not tell how many processors of a node are allocated; then a node that runs anything counts as full.
 */
export function parseRestNodes(document: unknown): SlurmProcessors {
  const counted = { allocated: 0, idle: 0, other: 0 };
  for (const { state, state_flags, cpus, alloc_cpus } of nodesDocument.parse(document).nodes) {
    const allocated = alloc_cpus ?? (/^(alloc|mix|comp)/i.test(state) ? cpus : 0);
    const isOut = /^(down|unknown|error|future)/i.test(state) || (state_flags ?? []).some((flag) => OUT.has(flag));
    counted.allocated += allocated;
    counted[isOut ? 'other' : 'idle'] += cpus - allocated;
  }
  return counted;
}

/** Flags of nodes that take no jobs. */
const OUT = new Set(['DRAIN', 'FAIL', 'MAINTENANCE', 'POWERED_DOWN', 'NOT_RESPONDING', 'INVALID_REG', 'REBOOT']);

function limit(value: number | null | undefined): number | null {
  return value === undefined || value === null || value < 0 || value >= NO_LIMIT ? null : value;
}

function minutes(value: number | null | undefined): number | null {
  const known = limit(value);
  return known === null ? null : known * 60;
}

/** Slurm's INFINITE and NO_VAL, which some versions show as they are. */
const NO_LIMIT = 0xfffffffe;
