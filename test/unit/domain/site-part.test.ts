import { describe, expect, test } from 'vitest';
import type { NodeShape } from '../../../src/domain/node-shape.ts';
import { partOfQueue, partsOf, withParts } from '../../../src/domain/site-part.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';

const CPU: NodeShape = { count: 3, processors: 16, memoryMebibytes: 64, gpus: [], features: [], queues: ['batch'] };
const GPUS = [
  { kind: 'a100', count: 2 },
  { kind: 'h100', count: 1 },
];
const GPU: NodeShape = { ...CPU, count: 2, processors: 8, gpus: GPUS, queues: ['gpu', 'train'] };

describe('the parts of a site', () => {
  test('are the nodes that queues share among themselves alone, summed up', () => {
    expect(partsOf([CPU, GPU])).toEqual([
      { queues: ['batch'], processors: 48, gpus: 0, memoryMebibytes: 192 },
      { queues: ['gpu', 'train'], processors: 16, gpus: 6, memoryMebibytes: 128 },
    ]);
    const bridge = { ...CPU, count: 1, memoryMebibytes: null, queues: ['train', 'batch'] };
    const [one, ...others] = partsOf([CPU, GPU, bridge]);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ processors: 80, gpus: 6, memoryMebibytes: null });
    expect([...(one?.queues ?? [])].sort()).toEqual(['batch', 'gpu', 'train']);
    const { queues: _queues, ...open } = CPU;
    expect(partsOf([GPU, open])).toEqual([{ processors: 64, gpus: 6, memoryMebibytes: 320 }]);
  });

  test('are found by the queue of a job', () => {
    const parts = partsOf([CPU, GPU]);
    expect(partOfQueue(parts, 'train')).toBe(parts[1]);
    expect(partOfQueue(parts, 'other')).toBeNull();
    expect(partOfQueue(parts, null)).toBeNull();
    expect(partOfQueue(parts.slice(0, 1), null)).toBe(parts[0]);
  });

  test('are told where there are GPUs, or the memory of jobs; any other snapshot stays the object it was', () => {
    const job = { nativeId: '1', key: null, user: null, queue: 'batch', processors: 1, submitAt: 0 };
    const waiting = [{ ...job, requestedWalltimeSeconds: 60 }];
    const state: Snapshot = { observedAt: 0, processors: 48, freeProcessors: 48, waiting, running: [] };
    expect(withParts(state, [CPU])).toBe(state);
    expect(withParts(state, [])).toBe(state);
    expect(withParts(state, [CPU, GPU]).parts).toHaveLength(2);
    const [first] = waiting;
    const telling = { ...state, waiting: [{ ...(first as (typeof waiting)[0]), memoryMebibytes: 5 }] };
    expect(withParts(telling, [CPU]).parts).toHaveLength(1);
    expect(withParts(telling, [])).toBe(telling);
  });

  test('count nodes out of service as far as jobs hold them still', () => {
    const job = { nativeId: '1', key: null, user: null, queue: 'gpu', submitAt: 0, startAt: 0 };
    const state = { observedAt: 0, processors: 64, freeProcessors: 64, waiting: [] };
    const partWith = (inService: number, gpus: number[]) => {
      const running = gpus.map((count) => {
        return { ...job, processors: 2 * count, gpus: count, memoryMebibytes: 10, requestedWalltimeSeconds: 60 };
      });
      return withParts({ ...state, running }, [CPU, { ...GPU, inService }]).parts?.[1];
    };
    expect(partWith(2, [])).toMatchObject({ processors: 16, gpus: 6, memoryMebibytes: 128 });
    expect(partWith(1, [])).toMatchObject({ processors: 8, gpus: 3, memoryMebibytes: 64 });
    expect(partWith(1, [2, 2]), 'one of them drains').toMatchObject({ processors: 8, gpus: 4, memoryMebibytes: 64 });
    expect(partWith(0, [])).toMatchObject({ processors: 0, gpus: 0, memoryMebibytes: 0 });
    expect(partWith(0, [2])).toMatchObject({ processors: 4, gpus: 2, memoryMebibytes: 10 });
  });
});
