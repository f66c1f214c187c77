import type { JobRecord } from '../../domain/job.ts';
import type { SitePart } from '../../domain/site-part.ts';
import { recordedJob } from '../../sim/cluster-snapshot.ts';
import { generateWorkload } from '../../sim/generator.ts';
import { POLICIES } from '../../sim/policy.ts';
import { simulate } from '../../sim/simulate.ts';
import type { Workload } from '../../sim/workload.ts';
import type { Parameters } from '../experiment.ts';
import { machineOf } from '../simulate.ts';

/** A site with CPU and GPU partitions, and what they have lived through. */
export interface ResourceSite {
  /** Of all, in the order of their submission. */
  readonly records: readonly JobRecord[];
  /** Of all. */
  readonly processors: number;
  /** Those of which the jobs are told apart, each with nodes of its own. */
  readonly queues: readonly string[];
  readonly parts: readonly SitePart[];
}

/**
 * A log under EASY in the partition `cpu`. In the partition `gpu` other people hand in generated jobs to nodes with
 * GPUs, of which each takes some, with a few processors for each: there GPUs run out, and processors never do. Both end
 * with the submissions of that which ends first.
 */
export function resourceSite(workload: Workload, seed: number, parameters: Parameters): ResourceSite {
  const processors = machineOf(workload, Number(parameters.processors) || undefined);
  const nodes = Number(parameters.gpuNodes);
  const gpus = nodes * Number(parameters.gpusPerNode);
  const load = Number(parameters.gpuLoad);
  const generated = { seed: seed + GPU_SEED, processors: gpus, load, users: GPU_USERS, fromAt: 0 };
  const onGpus = generateWorkload(generated, workload.length);
  const perGpu = Number(parameters.processorsPerGpu);
  const untilAt = Math.min(lastSubmission(workload), lastSubmission(onGpus));
  const records = [
    ...recordsOf(workload, processors, 'cpu'),
    ...recordsOf(onGpus, gpus, 'gpu').map((job) => ({
      ...job,
      gpus: job.processors,
      processors: perGpu * job.processors,
    })),
  ].filter(({ submitAt }) => submitAt <= untilAt);
  const ofGpus = nodes * Number(parameters.processorsPerGpuNode);
  return {
    records: records.sort((a, b) => a.submitAt - b.submitAt),
    processors: processors + ofGpus,
    queues: ['cpu', 'gpu'],
    parts: [
      { queues: ['cpu'], processors, gpus: 0, memoryMebibytes: null },
      { queues: ['gpu'], processors: ofGpus, gpus, memoryMebibytes: null },
    ],
  };
}

/** The same as it looks to those who know of processors alone. */
export function withoutResources({ records, parts: _parts, ...site }: ResourceSite): ResourceSite {
  return { ...site, records: records.map(({ gpus: _gpus, ...job }) => job), parts: [] };
}

function recordsOf(workload: Workload, machine: number, queue: string): JobRecord[] {
  const { cluster, jobOf } = simulate(workload, { processors: machine, policy: POLICIES.easy });
  return Array.from(jobOf, (job, row) => {
    const user = workload.userOf(job);
    const record = recordedJob(cluster, row, { user: user && `${queue}-${user}`, queue, key: null });
    return { ...record, nativeId: `${queue}.${record.nativeId}` };
  });
}

function lastSubmission({ columns, length }: Workload): number {
  return columns.submitAt[length - 1] ?? 0;
}

/** So that its people are others than those of a generated log. */
const GPU_SEED = 1000;
const GPU_USERS = 15;
