import type { NodeShape } from './node-shape.ts';
import type { JobResources, RequestName } from './resources.ts';

/** A job as far as it says which nodes can hold it. */
export interface SizedRequest {
  readonly processors: number;
  readonly resources?: JobResources | undefined;
}

/** Nodes of one shape that a job is on, and what it asks for of all of them. */
export interface TakenNodes {
  readonly shape: NodeShape;
  readonly nodes: number;
  readonly processors: number;
  readonly gpus: number;
}

/** The first request that nodes cannot meet, and why in words. */
export interface Lack {
  readonly name: RequestName;
  readonly why: string;
}

/** The nodes that a job is on, or what they lack for it. */
export type NodePlacement = { readonly taken: readonly TakenNodes[] } | { readonly lack: Lack };

/**
 * Where a job would be on an empty machine: on as few nodes as hold it, or on as many as it asks for, alike ones where
 * that is possible, and among those the smallest. What a site does not tell of its nodes is taken to be enough.
 * @param shapes the nodes that its queue may use, at least one
 */
export function placeOnNodes(request: SizedRequest, shapes: readonly NodeShape[]): NodePlacement {
  let fitting = shapes;
  for (const { name, isMet, why } of demandsOf(request)) {
    const left = fitting.filter(isMet);
    if (left.length === 0) return { lack: { name, why: why(fitting) } };
    fitting = left;
  }
  const ways = [...fitting.map((shape) => [shape]), fitting].flatMap((some) => takeFrom(request, some) ?? []);
  const [best] = ways.sort((a, b) => a.nodes - b.nodes || a.nodeProcessors - b.nodeProcessors);
  return best ? { taken: best.taken } : { lack: lackOfNodes(request, fitting) };
}

interface Demand {
  readonly name: RequestName;
  /** Whether a node can be one of the job's. */
  readonly isMet: (shape: NodeShape) => boolean;
  /** What is wrong with nodes none of which can. */
  readonly why: (shapes: readonly NodeShape[]) => string;
}

function demandsOf(request: SizedRequest): Demand[] {
  const { constraints = [], gpus, gpuKind, memoryPerNodeMebibytes, tmpPerNodeMebibytes } = request.resources ?? {};
  const size = grainOf(request);
  return [
    ...constraints.map((feature): Demand => {
      const why = (shapes: readonly NodeShape[]) =>
        `none of its nodes has the feature ${feature}${among(shapes.flatMap(({ features }) => features))}`;
      return { name: 'constraints', isMet: ({ features }) => features.includes(feature), why };
    }),
    ...(gpus === undefined ? [] : [gpuDemand(gpuKind)]),
    ...least('memoryPerNodeMebibytes', memoryPerNodeMebibytes, ({ memoryMebibytes }) => memoryMebibytes),
    ...least('tmpPerNodeMebibytes', tmpPerNodeMebibytes, ({ tmpMebibytes = null }) => tmpMebibytes),
    {
      name:
        request.resources?.memoryPerProcessorMebibytes === undefined
          ? 'processorsPerTask'
          : 'memoryPerProcessorMebibytes',
      isMet: (shape) => roomOn(shape, request) > 0,
      why: () =>
        `${size === 1 ? 'one processor' : `a task of ${size} processors`} with its memory fits on none of its nodes`,
    },
  ];
}

function gpuDemand(kind: string | undefined): Demand {
  const what = kind === undefined ? 'GPUs' : `GPUs of kind ${kind}`;
  return {
    name: kind === undefined ? 'gpus' : 'gpuKind',
    isMet: (shape) => gpusOf(shape, kind) > 0,
    why: (shapes) =>
      `none of its nodes has ${what}${among(shapes.flatMap(({ gpus }) => gpus.flatMap((one) => one.kind ?? [])))}`,
  };
}

/** That a node has so much of something, where it is asked for; what is not told of a node is enough. */
function least(name: RequestName, asked: number | undefined, has: (shape: NodeShape) => number | null): Demand[] {
  if (asked === undefined) return [];
  const isMet = (shape: NodeShape) => (has(shape) ?? asked) >= asked;
  const most = (shapes: readonly NodeShape[]) => Math.max(...shapes.map((shape) => has(shape) ?? 0));
  return [{ name, isMet, why: (shapes) => `${asked} MiB asked for, its nodes have at most ${most(shapes)}` }];
}

/** Processors that have to be on one node together: those of a task, where tasks are stated. */
function grainOf({ processors, resources = {} }: SizedRequest): number {
  const { tasks, processorsPerTask, nodes, tasksPerNode } = resources;
  const count = tasks ?? (nodes !== undefined && tasksPerNode !== undefined ? nodes * tasksPerNode : undefined);
  return processorsPerTask ?? (count === undefined ? 1 : Math.max(1, Math.floor(processors / count)));
}

/** Processors of a request that a node of that shape holds at most. */
function roomOn({ processors, memoryMebibytes }: NodeShape, request: SizedRequest): number {
  const { memoryPerProcessorMebibytes: perProcessor, tasksPerNode } = request.resources ?? {};
  const grain = grainOf(request);
  const byMemory = perProcessor === undefined || memoryMebibytes === null ? processors : memoryMebibytes / perProcessor;
  const tasks = Math.floor(Math.min(processors, byMemory) / grain);
  return Math.min(tasks, tasksPerNode ?? tasks) * grain;
}

/** GPUs of a kind, or of any, on a node. */
function gpusOf({ gpus }: NodeShape, kind: string | undefined): number {
  return gpus.reduce((sum, one) => (kind === undefined || one.kind === kind ? sum + one.count : sum), 0);
}

interface Way {
  readonly taken: readonly TakenNodes[];
  readonly nodes: number;
  /** All processors of these nodes. */
  readonly nodeProcessors: number;
}

/** The roomiest nodes of some shapes, as many as the request needs; null where they do not hold it. */
function takeFrom(request: SizedRequest, shapes: readonly NodeShape[]): Way | null {
  const { nodes: asked, gpus = 0, gpuKind } = request.resources ?? {};
  const roomy = shapes.map((shape) => ({ shape, room: roomOn(shape, request), gpus: gpusOf(shape, gpuKind) }));
  roomy.sort((a, b) => (gpus > 0 ? b.gpus - a.gpus : 0) || b.room - a.room || a.shape.processors - b.shape.processors);
  const taken: TakenNodes[] = [];
  let [leftNodes, leftProcessors, leftGpus] = [asked ?? 0, request.processors, gpus];
  for (const one of roomy) {
    const byGpus = leftGpus > 0 ? Math.ceil(leftGpus / one.gpus) : 0;
    const wanted = Math.max(
      asked === undefined ? 0 : leftNodes,
      Math.ceil(Math.max(0, leftProcessors) / one.room),
      byGpus,
    );
    const most = asked === undefined ? one.shape.count : Math.min(one.shape.count, leftNodes);
    const nodes = Math.min(wanted, most);
    if (nodes === 0) continue;
    const processors = Math.min(nodes * one.room, leftProcessors);
    const own = Math.min(nodes * one.gpus, leftGpus);
    taken.push({ shape: one.shape, nodes, processors, gpus: own });
    leftNodes -= nodes;
    leftProcessors -= processors;
    leftGpus -= own;
  }
  if (leftNodes > 0 || leftProcessors > 0 || leftGpus > 0) return null;
  const nodes = taken.reduce((sum, one) => sum + one.nodes, 0);
  const nodeProcessors = taken.reduce((sum, one) => sum + one.nodes * one.shape.processors, 0);
  return { taken, nodes, nodeProcessors };
}

/** What keeps a request off nodes each of which could be one of its own. */
function lackOfNodes(request: SizedRequest, shapes: readonly NodeShape[]): Lack {
  const { nodes, gpus, gpuKind, ...others } = request.resources ?? {};
  const count = shapes.reduce((sum, shape) => sum + shape.count, 0);
  if (nodes !== undefined && nodes > count) {
    return { name: 'nodes', why: `${nodes} nodes asked for, ${count} of its nodes are like that` };
  }
  const allGpus = shapes.reduce((sum, shape) => sum + shape.count * gpusOf(shape, gpuKind), 0);
  if (gpus !== undefined && gpus > allGpus) {
    return { name: 'gpus', why: `${gpus} GPUs asked for, its nodes have ${allGpus}` };
  }
  const isOnNodes = nodes !== undefined;
  const where = isOnNodes ? `${nodes} of its nodes` : `the ${count} of its nodes that are like that`;
  const what =
    gpus === undefined ? `${request.processors} processors` : `${request.processors} processors and ${gpus} GPUs`;
  const [other] = Object.keys(others) as RequestName[];
  return {
    name: isOnNodes ? 'nodes' : gpus === undefined ? (other ?? 'nodes') : 'gpus',
    why: `${where} do not hold ${what}`,
  };
}

function among(words: readonly string[]): string {
  const distinct = [...new Set(words)].sort();
  if (distinct.length === 0) return '';
  return `, only ${distinct.slice(0, MOST_NAMED).join(', ')}${distinct.length > MOST_NAMED ? ' and others' : ''}`;
}

const MOST_NAMED = 10;
