import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import { assertIdentifier, shareEvenly } from '../shared/plain-requests.ts';
import type { Dialect } from './config.ts';

/** How the processors of a job lie: so many chunks alike, each on a node where `isPlaced`. */
interface Chunks {
  readonly count: number;
  readonly processors: number;
  readonly isPlaced: boolean;
}

/**
 * The value of `-l` that asks for processors and what comes with them: on one node when they fit there, on whole nodes
 * when they fill some, anywhere otherwise.
 * @param perNode processors of the largest node
 * @throws Rejected naming the request that cannot be honoured; nothing has happened
 */
export function processorRequest(
  dialect: Dialect,
  spec: Pick<JobSpec, 'processors' | 'resources'>,
  perNode: number,
): string {
  const chunks = chunksOf(spec, perNode);
  return dialect === 'openpbs' ? openPbsRequest(spec, chunks) : torqueRequest(spec, chunks);
}

function chunksOf({ processors, resources = {} }: Pick<JobSpec, 'processors' | 'resources'>, perNode: number): Chunks {
  const { nodes, tasksPerNode, tasks, processorsPerTask = 1 } = resources;
  if (nodes !== undefined) {
    return { count: nodes, processors: shareEvenly(processors, nodes, 'nodes', 'nodes'), isPlaced: true };
  }
  if (tasksPerNode !== undefined) {
    const each = tasksPerNode * processorsPerTask;
    return { count: shareEvenly(processors, each, 'tasksPerNode', 'on each node'), processors: each, isPlaced: true };
  }
  const filled = processors <= perNode ? 1 : processors / perNode;
  if (Number.isInteger(filled)) return { count: filled, processors: processors / filled, isPlaced: false };
  if (tasks === undefined) return { count: processors, processors: 1, isPlaced: false };
  return { count: tasks, processors: shareEvenly(processors, tasks, 'tasks', 'tasks'), isPlaced: false };
}

function openPbsRequest(
  { processors, resources = {} }: Pick<JobSpec, 'processors' | 'resources'>,
  chunks: Chunks,
): string {
  const { count, processors: each } = chunks;
  const { gpus, memoryPerNodeMebibytes, memoryPerProcessorMebibytes, constraints = [] } = resources;
  const ranks = ranksOf(processors, resources);
  const memory = memoryPerNodeMebibytes ?? (memoryPerProcessorMebibytes ?? 0) * each;
  return [
    `select=${count}:ncpus=${each}`,
    ...(ranks === null ? [] : [`mpiprocs=${shareEvenly(ranks, count, 'tasks', 'chunks')}`]),
    ...(resources.processorsPerTask === undefined ? [] : [`ompthreads=${resources.processorsPerTask}`]),
    ...(memory === 0 ? [] : [`mem=${memory}mb`]),
    ...(gpus === undefined ? [] : [`ngpus=${shareEvenly(gpus, count, 'gpus', 'chunks')}`]),
    ...constraints.map((name) => `${identifier(name)}=True`),
  ].join(':');
}

function torqueRequest(
  { processors, resources = {} }: Pick<JobSpec, 'processors' | 'resources'>,
  chunks: Chunks,
): string {
  const { count, processors: each, isPlaced } = chunks;
  const { gpus, constraints = [] } = resources;
  const isLoose = !isPlaced && count > 1 && each === 1 && gpus === undefined && constraints.length === 0;
  if (isLoose) return `procs=${processors}`;
  return [
    `nodes=${count}:ppn=${each}`,
    ...(gpus === undefined ? [] : [`gpus=${shareEvenly(gpus, count, 'gpus', 'nodes')}`]),
    ...constraints.map(identifier),
  ].join(':');
}

/** Processes that the job's own launcher starts; null where nothing is said of them. */
function ranksOf(processors: number, { tasks, processorsPerTask }: NonNullable<JobSpec['resources']>): number | null {
  if (tasks !== undefined) return tasks;
  return processorsPerTask === undefined
    ? null
    : shareEvenly(processors, processorsPerTask, 'processorsPerTask', 'each');
}

function identifier(name: string): string {
  assertIdentifier(name, 'constraints', 'PBS');
  return name;
}

/** Refuses memory for each of several kinds of the same job. */
export function torqueMemory({ processors, resources = {} }: Pick<JobSpec, 'processors' | 'resources'>): string[] {
  const { memoryPerProcessorMebibytes: perProcessor, memoryPerNodeMebibytes: perNode, nodes } = resources;
  if (perProcessor !== undefined) return ['-l', `pmem=${perProcessor}mb`];
  if (perNode === undefined) return [];
  if (nodes === undefined && processors > 1) {
    throw new Rejected('memoryPerNodeMebibytes: Torque knows memory of a whole job; ask for nodes, too');
  }
  return ['-l', `mem=${perNode * (nodes ?? 1)}mb`];
}
