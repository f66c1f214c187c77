import { placeOnNodes, type SizedRequest, type TakenNodes } from './node-placement.ts';
import type { BillingWeights, NodeShape, QueueAllocation } from './node-shape.ts';
import type { JobResources } from './resources.ts';

/** The nodes that a job's queue may use, and what the queue gives with what is asked for. */
export interface NodesOfQueue {
  /** Empty where the site does not say. */
  readonly shapes: readonly NodeShape[];
  readonly allocation?: QueueAllocation | null | undefined;
}

/**
 * How many processors a job keeps others from using: those it asks for, all of its nodes where it has them to itself,
 * and where it takes a larger share of a node's memory than of its processors, that share of the processors. What it
 * asks for where its site tells nothing of its nodes, or they cannot hold it.
 */
export function occupiedProcessors(request: SizedRequest, { shapes, allocation }: NodesOfQueue): number {
  return sumOf(request, shapes, (taken) => {
    const { shape, nodes, processors } = taken;
    if (isWhole(request, allocation)) return nodes * shape.processors;
    const memory = memoryOf(request.resources, taken, allocation);
    const share = memory === null || !shape.memoryMebibytes ? 0 : memory / (nodes * shape.memoryMebibytes);
    const byMemory = Math.min(1, share) * nodes * shape.processors;
    return Math.max(processors, Math.ceil(byMemory - ROUNDING));
  });
}

/**
 * What a site bills for each second of a job, in processors: by its weights where it has any, else the processors that
 * it hands out, which are more where memory takes processors with it or the job has whole nodes.
 */
export function billedProcessors(request: SizedRequest, { shapes, allocation }: NodesOfQueue): number {
  const billing = allocation?.billing;
  const handedOut = sumOf(request, shapes, (taken) => handedOutProcessors(request, taken, allocation));
  if (!billing) return handedOut;
  const placement = shapes.length === 0 ? null : placeOnNodes(request, shapes);
  const taken = placement && 'taken' in placement ? placement.taken : null;
  const memory = taken?.reduce((sum, one) => sum + (memoryOf(request.resources, one, allocation) ?? 0), 0);
  return byWeights(billing, handedOut, memory ?? statedMemory(request), request.resources);
}

/**
 * Memory that a job is given over all of its nodes, in mebibytes; null where neither it nor its queue says, or that
 * cannot be told without the nodes of its site.
 */
export function givenMemoryMebibytes(request: SizedRequest, { shapes, allocation }: NodesOfQueue): number | null {
  const placement = shapes.length === 0 ? null : placeOnNodes(request, shapes);
  if (!placement || 'lack' in placement) return null;
  return placement.taken.reduce<number | null>((sum, taken) => {
    const memory = memoryOf(request.resources, taken, allocation);
    return sum === null || memory === null ? null : sum + memory;
  }, 0);
}

function handedOutProcessors(
  request: SizedRequest,
  taken: TakenNodes,
  allocation: QueueAllocation | null | undefined,
): number {
  const { shape, nodes, processors } = taken;
  if (isWhole(request, allocation)) return nodes * shape.processors;
  const most = allocation?.maxMemoryPerProcessorMebibytes;
  const memory = memoryOf(request.resources, taken, allocation);
  if (most === undefined || memory === null) return processors;
  return Math.min(nodes * shape.processors, Math.max(processors, nodes * Math.ceil(memory / nodes / most - ROUNDING)));
}

function byWeights(
  weights: BillingWeights,
  processors: number,
  memoryMebibytes: number,
  { gpus = 0, gpuKind }: JobResources = {},
): number {
  const { perProcessor, perGibibyte, perGpu, perGpuOfKind = {}, isLargestOnly = false } = weights;
  const ofKind = gpuKind === undefined ? undefined : perGpuOfKind[gpuKind];
  const parts = [
    perProcessor * processors,
    (perGibibyte * memoryMebibytes) / MEBIBYTES_PER_GIBIBYTE,
    (ofKind ?? perGpu) * gpus,
  ];
  return isLargestOnly ? Math.max(...parts) : parts.reduce((sum, part) => sum + part, 0);
}

/** Memory that a job is given on some of its nodes together; null where nobody says. */
function memoryOf(
  resources: JobResources = {},
  { shape, nodes, processors }: TakenNodes,
  allocation: QueueAllocation | null | undefined,
): number | null {
  const { memoryPerNodeMebibytes: perNode, memoryPerProcessorMebibytes: perProcessor } = resources;
  if (perNode !== undefined) return nodes * perNode;
  if (perProcessor !== undefined) return processors * perProcessor;
  const { defaultMemoryPerNodeMebibytes: usual, defaultMemoryPerProcessorMebibytes: each } = allocation ?? {};
  if (usual !== undefined) return nodes * Math.min(usual, shape.memoryMebibytes ?? usual);
  return each === undefined ? null : processors * each;
}

function statedMemory({ processors, resources = {} }: SizedRequest): number {
  const { memoryPerNodeMebibytes: perNode = 0, memoryPerProcessorMebibytes: perProcessor = 0, nodes = 1 } = resources;
  return nodes * perNode + processors * perProcessor;
}

function isWhole({ resources }: SizedRequest, allocation: QueueAllocation | null | undefined): boolean {
  return resources?.exclusive === true || allocation?.wholeNodes === true;
}

function sumOf(request: SizedRequest, shapes: readonly NodeShape[], figure: (taken: TakenNodes) => number): number {
  const placement = shapes.length === 0 ? null : placeOnNodes(request, shapes);
  if (!placement || 'lack' in placement) return request.processors;
  return placement.taken.reduce((sum, taken) => sum + figure(taken), 0);
}

const MEBIBYTES_PER_GIBIBYTE = 1024;
/** Of quotients. */
const ROUNDING = 1e-9;
