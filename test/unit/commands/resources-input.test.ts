import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/commands/carry-out/context.ts';
import { FaultList, faultsOf, InputFaults } from '../../../src/commands/input/faults.ts';
import { checkResources, checkSizeless } from '../../../src/commands/input/resources-input.ts';
import type { JobResources } from '../../../src/domain/resources.ts';

const LICENCES = [{ name: 'abaqus', count: 1 }];
const MANY = Array.from({ length: 17 }, (_, index) => `f${index}`);

/** Fields and messages of what is wrong with resources of a job of 8 processors. */
function faultsFor(resources: JobResources): [string | null, string][] {
  const faults = new FaultList();
  checkResources(faults, resources, 8, 'input.resources', DEFAULT_LIMITS);
  try {
    faults.assertNone();
  } catch (error) {
    if (error instanceof InputFaults) return faultsOf(error).map(({ field, message }) => [field, message]);
    throw error;
  }
  return [];
}

describe('what is asked for beside processors', () => {
  test.each<[string, JobResources]>([
    ['nothing', {}],
    ['nodes', { nodes: 8 }],
    ['tasks that share the processors evenly', { tasks: 4, nodes: 2 }],
    ['tasks with their processors', { tasks: 4, processorsPerTask: 2, tasksPerNode: 2 }],
    ['one task with all processors', { processorsPerTask: 8 }],
    ['tasks by their nodes', { nodes: 2, tasksPerNode: 2, processorsPerTask: 2 }],
    ['GPUs of a kind', { gpus: 2, gpuKind: 'a100', constraints: ['nvlink', 'ib'], exclusive: true }],
    ['licences', { licences: [{ name: 'abaqus@server', count: 3 }], memoryPerProcessorMebibytes: 2048 }],
  ])('%s is accepted', (_what, resources) => {
    expect(faultsFor(resources)).toEqual([]);
  });

  test.each<[string, JobResources, string, RegExp]>([
    ['no node', { nodes: 0 }, 'nodes', /whole number from 1 to 10000000, got 0/],
    ['half a GPU', { gpus: 0.5 }, 'gpus', /whole number from 1 .*got 0.5/],
    [
      'more memory than there is',
      { memoryPerNodeMebibytes: 2 ** 31 - 1 },
      'memoryPerNodeMebibytes',
      /to 1073741824, got/,
    ],
    ['more nodes than processors', { nodes: 9 }, 'nodes', /9 nodes asked for, and 8 processors .*fewer nodes/],
    ['more nodes than tasks', { nodes: 4, tasks: 2 }, 'nodes', /4 nodes asked for, and 2 tasks/],
    ['processors that tasks cannot share', { tasks: 3 }, 'tasks', /8 processors cannot be shared evenly among 3 tasks/],
    [
      'another number of processors',
      { tasks: 3, processorsPerTask: 2 },
      'processorsPerTask',
      /take 6, and processors is 8/,
    ],
    ['tasks that do not fit', { tasks: 8, nodes: 2, tasksPerNode: 2 }, 'tasksPerNode', /8 tasks do not fit on 2 nodes/],
    [
      'memory of both kinds',
      { memoryPerNodeMebibytes: 100, memoryPerProcessorMebibytes: 20 },
      'memoryPerNodeMebibytes',
      /per node \(100\) and per processor \(20\); leave one/,
    ],
    ['a kind of no GPUs', { gpuKind: 'a100' }, 'gpuKind', /gpuKind "a100" goes with gpus/],
    ['an operator in a feature', { constraints: ['ib', 'a&b'] }, 'constraints[1]', /begins with a letter.*got "a&b"/],
    ['an option for a kind', { gpus: 1, gpuKind: '--wrap=id' }, 'gpuKind', /got "--wrap=id"/],
    ['a feature twice', { constraints: ['ib', 'ib'] }, 'constraints[1]', /twice/],
    ['a licence twice', { licences: [...LICENCES, ...LICENCES] }, 'licences[1].name', /twice; add up/],
    ['no licence', { licences: [{ name: 'abaqus', count: 0 }] }, 'licences[0].count', /whole number from 1/],
    ['too many features', { constraints: MANY }, 'constraints', /17 entries, at most 16/],
  ])('%s is refused', (_what, resources, field, message) => {
    expect(faultsFor(resources)).toEqual([[`input.resources.${field}`, expect.stringMatching(message)]]);
  });

  test('what fixes the size is refused where the size is to be chosen', () => {
    const faults = new FaultList();
    checkSizeless(faults, { nodes: 2, memoryPerProcessorMebibytes: 10 }, 'input.resources');
    expect(() => faults.assertNone()).toThrow(/nodes and sizes do not go together/);
    const none = new FaultList();
    checkSizeless(none, { gpus: 2 }, 'input.resources');
    expect(() => none.assertNone()).not.toThrow();
  });
});
