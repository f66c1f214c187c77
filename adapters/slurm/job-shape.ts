import type { JobSpec } from '../../src/domain/job.ts';
import type { JobResources } from '../../src/domain/resources.ts';
import type { PartitionLayout } from './layout.ts';
import { isInService, sizeIn } from './node-sizes.ts';
import { countGpus } from './parse-equipment.ts';
import type { SlurmNodes } from './slurm-job.ts';

/** How a job lies on nodes. */
export interface JobShape {
  /** Null leaves it to Slurm. */
  readonly nodes: { readonly least: number; readonly most: number } | null;
  readonly tasks: number;
  readonly tasksPerNode: number | null;
  readonly processorsPerTask: number;
}

/** What a node must hold of a job: so many tasks with so many processors each. */
interface Tasks {
  readonly tasks: number;
  readonly processorsPerTask: number;
}

/**
 * The tasks that a job asks for; without a word of them one, on a single node where one holds all of its processors,
 * and otherwise one for each processor, since no task goes over two nodes. Nodes are as few as hold it, of those in
 * service where they do.
 * @param where null where nothing is known of the partition
 */
export function shapeOf(
  { processors, resources = {} }: Pick<JobSpec, 'processors' | 'resources'>,
  where: PartitionLayout | null,
): JobShape {
  const { nodes: count, tasksPerNode = null } = resources;
  const stated = statedTasks(processors, resources);
  if (count !== undefined) {
    const spread = stated ?? spreadOver(processors, count);
    return { nodes: { least: count, most: count }, tasksPerNode, ...spread };
  }
  const oneByOne = { tasks: processors, processorsPerTask: 1 };
  const tried = stated ? [stated] : [{ tasks: 1, processorsPerTask: processors }, oneByOne];
  const fitting = where?.nodes.filter((some) => hasWhatIsAsked(some, resources)) ?? [];
  for (const nodes of [fitting.filter(isInService), fitting]) {
    for (const tasks of tried) {
      const most = where && fewestNodes(tasks, resources, { ...where, nodes });
      if (most !== null && most <= tasks.tasks) return { nodes: { least: 1, most }, tasksPerNode, ...tasks };
    }
  }
  return { nodes: null, tasksPerNode, ...(stated ?? oneByOne) };
}

/** Null for a job that says nothing of tasks. */
function statedTasks(processors: number, resources: JobResources): Tasks | null {
  const { nodes, tasks, tasksPerNode, processorsPerTask } = resources;
  const fromNodes = nodes !== undefined && tasksPerNode !== undefined ? nodes * tasksPerNode : undefined;
  const count = tasks ?? fromNodes;
  if (count !== undefined) {
    return { tasks: count, processorsPerTask: processorsPerTask ?? Math.max(1, Math.floor(processors / count)) };
  }
  if (processorsPerTask === undefined) return null;
  return { tasks: Math.max(1, Math.floor(processors / processorsPerTask)), processorsPerTask };
}

/** As many processors on each node where they can be shared so: a task with all of them. */
function spreadOver(processors: number, nodes: number): Tasks & Pick<JobShape, 'tasksPerNode'> {
  if (nodes === 1) return { tasks: 1, processorsPerTask: processors, tasksPerNode: null };
  return { tasks: processors, processorsPerTask: 1, tasksPerNode: Math.ceil(processors / nodes) };
}

/** On how many of some nodes a job can lie at the least; null where they do not hold it. */
function fewestNodes(tasks: Tasks, resources: JobResources, where: PartitionLayout): number | null {
  const counts = ORDERS.map((order) => [...where.nodes].sort(order)).flatMap((sorted) => {
    return firstThatHold(sorted, tasks, resources, where) ?? [];
  });
  return counts.length > 0 ? Math.min(...counts) : null;
}

/** Nodes with the most of one thing first: whichever is scarcer decides. */
const ORDERS = [
  (a: SlurmNodes, b: SlurmNodes) => b.processorsPerNode - a.processorsPerNode,
  (a: SlurmNodes, b: SlurmNodes) => countGpus(b.equipment?.gpus ?? []) - countGpus(a.equipment?.gpus ?? []),
];

function firstThatHold(
  nodes: readonly SlurmNodes[],
  { tasks, processorsPerTask }: Tasks,
  resources: JobResources,
  where: PartitionLayout,
): number | null {
  let [taken, tasksLeft, gpusLeft] = [0, tasks, resources.gpus ?? 0];
  for (const some of nodes) {
    const fit = Math.floor(processorsFor(some, resources, where) / processorsPerTask);
    const perNode = Math.min(fit, resources.tasksPerNode ?? Number.POSITIVE_INFINITY);
    if (perNode < 1) continue;
    const gpus = gpusOf(some, resources);
    const wanted = Math.max(shareOut(tasksLeft, perNode), shareOut(gpusLeft, gpus));
    const count = Math.min(some.nodes, wanted);
    taken += count;
    tasksLeft -= count * perNode;
    gpusLeft -= count * gpus;
    if (tasksLeft <= 0 && gpusLeft <= 0) return taken;
  }
  return null;
}

/** How many parts of a size make up an amount; without end where they never do. */
function shareOut(amount: number, size: number): number {
  if (amount <= 0) return 0;
  return size > 0 ? Math.ceil(amount / size) : Number.POSITIVE_INFINITY;
}

function processorsFor(some: SlurmNodes, resources: JobResources, { partition }: PartitionLayout): number {
  const { memoryPerProcessorMebibytes: each } = resources;
  const held = each === undefined || !some.equipment ? Number.POSITIVE_INFINITY : some.equipment.memoryMebibytes / each;
  return Math.floor(Math.min(sizeIn(partition, some), held));
}

function gpusOf({ equipment }: SlurmNodes, { gpuKind }: JobResources): number {
  return countGpus((equipment?.gpus ?? []).filter(({ kind }) => gpuKind === undefined || kind === gpuKind));
}

/** Of each node alone; what is not told of nodes they may have. */
function hasWhatIsAsked({ equipment }: SlurmNodes, resources: JobResources): boolean {
  if (!equipment) return true;
  const { memoryPerNodeMebibytes = 0, tmpPerNodeMebibytes = 0, constraints = [] } = resources;
  return (
    equipment.memoryMebibytes >= memoryPerNodeMebibytes &&
    equipment.tmpMebibytes >= tmpPerNodeMebibytes &&
    constraints.every((feature) => equipment.features.includes(feature))
  );
}
