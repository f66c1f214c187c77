import { z } from 'zod';
import { namesOrNull } from './parse-cluster.ts';
import { countOfTres, memoryOfTres } from './parse-equipment.ts';
import { endOfWait, hasNodes, reasonOf } from './parse-listing.ts';
import {
  baseState,
  type SlurmAssociation,
  type SlurmJob,
  type SlurmLicence,
  type SlurmPartition,
  type SlurmReservation,
} from './slurm-job.ts';

export const text = z.string().nullish();
export const number = z.number().nullish();

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
      account: text,
      group_name: text,
      current_working_directory: text,
      tres_alloc_str: text,
      tres_req_str: text,
    }),
  ),
});
type RestJob = z.output<typeof jobsDocument>['jobs'][number];

/**
 * Reads the document of `/slurm/<version>/jobs`. Tasks of an array that have no id of their own yet come as a job each.
 */
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
    ...(typeof job.exit_code === 'number' ? endOfWait(job.exit_code) : { exitCode: null }),
    gpus: countOfTres(job.tres_alloc_str || job.tres_req_str || '', 'gres/gpu') ?? 0,
    memoryMebibytes: memoryOfTres(job.tres_alloc_str || job.tres_req_str || ''),
    billing: hasNodes(job.nodes ?? '') ? countOfTres(job.tres_alloc_str ?? '', 'billing') : null,
    reason: reasonOf(job.state_description || job.state_reason || ''),
    account: job.account || null,
    group: job.group_name || null,
    workFolder: job.current_working_directory || null,
  };
}

/** Ids as squeue --array writes them. */
function idsOf(job: RestJob): string[] {
  if (job.het_job_id) return [`${job.het_job_id}+${job.het_job_offset ?? 0}`];
  if (!job.array_job_id) return [String(job.job_id)];
  if (!job.array_task_string) return [`${job.array_job_id}_${job.array_task_id ?? 0}`];
  return taskNumbers(job.array_task_string).map((task) => `${job.array_job_id}_${task}`);
}

/**
 * Numbers of a list like `2-3,7,10-20:5%4`: ranges with a step, and after the percent sign how many may run at once.
 */
export function taskNumbers(list: string): number[] {
  return (list.split('%')[0] ?? '').split(',').flatMap((part) => {
    const [, first = '', last = first, step = '1'] = /^(\d+)(?:-(\d+))?(?::(\d+))?$/.exec(part) ?? [];
    if (first === '') return [];
    const count = Math.floor((Number(last) - Number(first)) / Number(step)) + 1;
    return Array.from({ length: count }, (_, index) => Number(first) + index * Number(step));
  });
}

const partitionsDocument = z.object({
  partitions: z.array(
    z.object({
      name: z.string(),
      flags: z.array(z.string()),
      state: text,
      allowed_accounts: text,
      denied_accounts: text,
      allowed_qos: text,
      denied_qos: text,
      total_cpus: z.number(),
      total_nodes: z.number(),
      maximum_nodes_per_job: number,
      maximum_cpus_per_node: number,
      max_time_limit: number,
      default_memory_per_cpu: number,
      default_memory_per_node: number,
      maximum_memory_per_cpu: number,
      billing_weights: text,
    }),
  ),
});

/**
 * Reads the document of `/slurm/<version>/partitions`, where -1 stands for no limit. Which groups may use a partition
 * it tells, but not in which one is. Up to v0.0.36 it does not tell states.
 */
export function parseRestPartitions(document: unknown): SlurmPartition[] {
  return partitionsDocument.parse(document).partitions.map((partition) => ({
    name: partition.name,
    isDefault: partition.flags.includes('default'),
    isUp: (partition.state ?? 'UP') === 'UP',
    state: partition.state ?? 'UP',
    access: {
      isOfOtherGroups: false,
      isRootOnly: partition.flags.includes('root_only'),
      needsReservation: partition.flags.includes('reservation_required'),
      allowAccounts: namesOrNull(partition.allowed_accounts ?? ''),
      denyAccounts: namesOrNull(partition.denied_accounts ?? '') ?? [],
      allowQos: namesOrNull(partition.allowed_qos ?? ''),
      denyQos: namesOrNull(partition.denied_qos ?? '') ?? [],
    },
    processors: partition.total_cpus,
    nodes: partition.total_nodes,
    maxNodes: limit(partition.maximum_nodes_per_job),
    maxProcessorsPerNode: limit(partition.maximum_cpus_per_node),
    maxSeconds: minutes(partition.max_time_limit),
    defaultMemory: defaultMemoryOf(partition),
    maxMemoryPerProcessorMebibytes: partition.maximum_memory_per_cpu || null,
    isWholeNodes: false,
    billingWeights: partition.billing_weights ?? '',
  }));
}

/**
 * Up to v0.0.37 memory for each processor is shown with Slurm's flag for it, a number so far below nought that JSON
 * loses what is in it.
 */
function defaultMemoryOf(
  partition: z.output<typeof partitionsDocument>['partitions'][number],
): SlurmPartition['defaultMemory'] {
  const { default_memory_per_cpu: perProcessor, default_memory_per_node: perNode } = partition;
  if (perProcessor) return { perProcessorMebibytes: perProcessor < 0 ? null : perProcessor };
  return perNode ? { perNodeMebibytes: perNode } : null;
}

const licencesDocument = z.object({ licenses: z.array(z.object({ LicenseName: z.string(), Total: z.number() })) });

/** Reads the document of `/slurm/v0.0.38/licenses`. */
export function parseRestLicences(document: unknown): SlurmLicence[] {
  const { licenses } = licencesDocument.parse(document);
  return licenses.map(({ LicenseName: name, Total: total }) => ({ name, total }));
}

const reservationsDocument = z.object({
  reservations: z.array(
    z.object({
      name: z.string(),
      start_time: z.number(),
      end_time: z.number(),
      core_count: number,
      node_list: text,
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
      hostlist: reservation.node_list ?? '',
      isMaintenance: (reservation.flags ?? []).includes('MAINT'),
    };
  });
}

const association = z.object({
  cluster: z.string(),
  account: z.string(),
  user: text,
  partition: text,
  parent_account: text,
  flags: z.array(z.string()).nullish(),
  qos: z.array(z.string()).nullish(),
  default: z.object({ qos: text }).nullish(),
});
const associationsDocument = z.object({ associations: z.array(association).nullish() });

/**
 * Reads the document of `/slurmdb/<version>/associations`, which up to v0.0.37 lists everybody's, whoever is asked for,
 * and QOS by their numbers: those of the user with the account, the default one where it is undefined, and those of
 * accounts.
 */
export function parseRestAssociations(document: unknown, user: string, account?: string): SlurmAssociation[] {
  const isMeant = (one: z.output<typeof association>) =>
    one.user === user && (account === undefined ? one.flags?.includes('DEFAULT') : one.account === account);
  const { associations } = associationsDocument.parse(document);
  const meant = (associations ?? []).filter((one) => !one.user || isMeant(one));
  return meant.map((one) => ({
    cluster: one.cluster,
    account: one.account.toLowerCase(),
    user: one.user || null,
    partition: one.partition || null,
    parent: one.parent_account?.toLowerCase() || null,
    qos: one.qos && !one.qos.some((name) => /^\d+$/.test(name)) ? one.qos.map((name) => name.toLowerCase()) : null,
    defaultQos: one.default?.qos?.toLowerCase() || null,
  }));
}

function limit(value: number | null | undefined): number | null {
  return value === undefined || value === null || value < 0 || value >= NO_LIMIT ? null : value;
}

/** Seconds of a limit in minutes; null where there is none. */
export function minutes(value: number | null | undefined): number | null {
  const known = limit(value);
  return known === null ? null : known * 60;
}

/** Slurm's INFINITE and NO_VAL, which some versions show as they are. */
const NO_LIMIT = 0xfffffffe;
