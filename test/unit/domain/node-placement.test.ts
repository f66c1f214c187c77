import { describe, expect, test } from 'vitest';
import { type NodePlacement, placeOnNodes } from '../../../src/domain/node-placement.ts';
import type { NodeShape } from '../../../src/domain/node-shape.ts';
import { billedProcessors, occupiedProcessors } from '../../../src/domain/occupancy.ts';
import type { JobResources } from '../../../src/domain/resources.ts';

const plain: NodeShape = { count: 10, processors: 32, memoryMebibytes: 65_536, gpus: [], features: ['ib'] };
const fat: NodeShape = { ...plain, count: 2, memoryMebibytes: 524_288, features: ['ib', 'fat'], tmpMebibytes: 1000 };
const gpu: NodeShape = { ...plain, count: 2, processors: 64, gpus: [{ kind: 'a100', count: 4 }], features: ['nvlink'] };
const shapes = [plain, fat, gpu];

function place(processors: number, resources: JobResources = {}): NodePlacement {
  return placeOnNodes({ processors, resources }, shapes);
}

/** How many nodes of which size, GPUs with `g`. */
function nodesOf(placement: NodePlacement): string {
  if ('lack' in placement) return `lacks ${placement.lack.name}: ${placement.lack.why}`;
  return placement.taken
    .map(({ nodes, shape, gpus }) => `${nodes}x${shape.processors}${gpus ? `g${gpus}` : ''}`)
    .join('+');
}

describe('a job on nodes', () => {
  test.each<[number, JobResources, string]>([
    [1, {}, '1x32'],
    [33, {}, '1x64'],
    [65, {}, '2x64'],
    [300, {}, '2x64+6x32'],
    [8, { nodes: 4 }, '4x32'],
    [64, { tasks: 2 }, '1x64'],
    [60, { tasks: 3, constraints: ['ib'] }, '3x32'],
    [40, { memoryPerNodeMebibytes: 100_000 }, '2x32'],
    [16, { memoryPerProcessorMebibytes: 8192 }, '1x32'],
    [4, { gpus: 2 }, '1x64g2'],
    [4, { gpus: 8, gpuKind: 'a100' }, '2x64g8'],
    [8, { tasksPerNode: 2, tasks: 8 }, '4x32'],
  ])('of %i processors asking for %o is on %s', (processors, resources, nodes) => {
    expect(nodesOf(place(processors, resources))).toBe(nodes);
  });

  test.each<[number, JobResources, RegExp]>([
    [1, { gpus: 1, gpuKind: 'h100' }, /lacks gpuKind: none of its nodes has GPUs of kind h100, only a100/],
    [1, { gpus: 9 }, /lacks gpus: 9 GPUs asked for, its nodes have 8/],
    [1, { constraints: ['avx512'] }, /lacks constraints: none .* the feature avx512, only fat, ib, nvlink/],
    [1, { constraints: ['fat', 'nvlink'] }, /lacks constraints: none .* nvlink, only fat, ib/],
    [1, { memoryPerNodeMebibytes: 600_000 }, /lacks memoryPerNodeMebibytes: 600000 MiB asked for, .* at most 524288/],
    [128, { processorsPerTask: 128 }, /lacks processorsPerTask: a task of 128 processors/],
    [4, { memoryPerProcessorMebibytes: 600_000 }, /lacks memoryPerProcessorMebibytes: one processor with its memory/],
    [15, { nodes: 15 }, /lacks nodes: 15 nodes asked for, 14 of its nodes/],
    [200, { nodes: 2 }, /lacks nodes: 2 of its nodes do not hold 200 processors/],
    [100, { memoryPerNodeMebibytes: 100_000 }, /do not hold 100 processors/],
  ])('of %i processors asking for %o is on none', (processors, resources, lack) => {
    expect(nodesOf(place(processors, resources))).toMatch(lack);
  });

  test('is not kept off by what is not told of them', () => {
    const untold = { ...plain, memoryMebibytes: null };
    expect('taken' in placeOnNodes({ processors: 1, resources: { memoryPerNodeMebibytes: 1e6 } }, [untold])).toBe(true);
  });
});

describe('what a job keeps others from using', () => {
  const occupied = (processors: number, resources: JobResources, allocation = {}) =>
    occupiedProcessors({ processors, resources }, { shapes: [plain], allocation });

  test('is what it asks for where it asks for no more', () => {
    expect(occupied(4, {})).toBe(4);
    expect(occupied(4, { memoryPerNodeMebibytes: 8192 })).toBe(4);
    expect(occupiedProcessors({ processors: 4, resources: { exclusive: true } }, { shapes: [] })).toBe(4);
  });

  test('is the share of a node that its memory is', () => {
    expect(occupied(4, { memoryPerNodeMebibytes: 32_768 })).toBe(16);
    expect(occupied(4, { memoryPerProcessorMebibytes: 16_384 })).toBe(32);
    expect(occupied(8, { nodes: 2, memoryPerNodeMebibytes: 49_152 })).toBe(48);
  });

  test('is whole nodes where it has them to itself', () => {
    expect(occupied(4, { exclusive: true })).toBe(32);
    expect(occupied(4, { nodes: 3, exclusive: true })).toBe(96);
    expect(occupied(33, {}, { wholeNodes: true })).toBe(64);
  });

  test('is a whole node where a job that asks for no memory is given all of it', () => {
    expect(occupied(1, {}, { defaultMemoryPerNodeMebibytes: 1e9 })).toBe(32);
    expect(occupied(4, {}, { defaultMemoryPerProcessorMebibytes: 4096 })).toBe(8);
    expect(occupied(1, { memoryPerNodeMebibytes: 2048 }, { defaultMemoryPerNodeMebibytes: 1e9 })).toBe(1);
  });
});

describe('what a site bills', () => {
  const billing = { perProcessor: 1, perGibibyte: 0.25, perGpu: 10 };

  test('is what it hands out: more processors where memory takes some with it', () => {
    const allocation = { maxMemoryPerProcessorMebibytes: 2048 };
    expect(
      billedProcessors({ processors: 2, resources: { memoryPerNodeMebibytes: 9000 } }, { shapes, allocation }),
    ).toBe(5);
    expect(billedProcessors({ processors: 2, resources: { memoryPerNodeMebibytes: 9000 } }, { shapes })).toBe(2);
    expect(billedProcessors({ processors: 2, resources: { exclusive: true } }, { shapes: [plain] })).toBe(32);
  });

  test('is by its weights where it has any, the sum of them or the largest', () => {
    const resources = { gpus: 2, gpuKind: 'a100', memoryPerNodeMebibytes: 16_384 };
    const request = { processors: 4, resources };
    expect(billedProcessors(request, { shapes, allocation: { billing } })).toBe(4 + 4 + 20);
    const largest = { billing: { ...billing, isLargestOnly: true } };
    expect(billedProcessors(request, { shapes, allocation: largest })).toBe(20);
    const own = { billing: { ...billing, perGpuOfKind: { a100: 50 } } };
    expect(billedProcessors(request, { shapes, allocation: own })).toBe(4 + 4 + 100);
    expect(billedProcessors(request, { shapes: [], allocation: { billing } })).toBe(4 + 4 + 20);
  });
});
