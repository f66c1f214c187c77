import { describe, expect, test } from 'vitest';
import { equipmentOf } from '../../../adapters/pbs/equipment.ts';
import { honoursOf, requestOptions } from '../../../adapters/pbs/job-asks.ts';
import { processorRequest } from '../../../adapters/pbs/processor-request.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { JobResources } from '../../../src/domain/resources.ts';

const spec = (processors: number, resources: JobResources, more: Partial<JobSpec> = {}): JobSpec => ({
  name: 'x',
  script: 'true\n',
  arguments: [],
  processors,
  walltimeSeconds: 60,
  queue: null,
  resources,
  ...more,
});

describe('what is asked of PBS', () => {
  test.each([
    [4, { nodes: 2 }, 'select=2:ncpus=2', 'nodes=2:ppn=2', ['-l', 'place=scatter']],
    [8, { memoryPerNodeMebibytes: 500, nodes: 1 }, 'select=1:ncpus=8:mem=500mb', 'nodes=1:ppn=8', []],
    [4, { memoryPerProcessorMebibytes: 100 }, 'select=1:ncpus=4:mem=400mb', 'nodes=1:ppn=4', []],
    [4, { gpus: 2 }, 'select=1:ncpus=4:ngpus=2', 'nodes=1:ppn=4:gpus=2', []],
    [16, { gpus: 2, constraints: ['fast'] }, 'select=2:ncpus=8:ngpus=1:fast=True', 'nodes=2:ppn=8:gpus=1:fast', []],
    [2, { exclusive: true }, 'select=1:ncpus=2', 'nodes=1:ppn=2', ['-l', 'place=excl']],
  ])('%i processors with %j', (processors, resources, openpbs, torque, place) => {
    const job = spec(processors, resources);
    expect(processorRequest('openpbs', job, 8)).toBe(openpbs);
    expect(processorRequest('torque', job, 8)).toBe(torque);
    expect(requestOptions(job, 'openpbs')).toEqual(place);
  });

  test('tasks are processes of chunks to OpenPBS, and nothing to Torque', () => {
    const job = spec(16, { tasks: 4, processorsPerTask: 4, tasksPerNode: 2 });
    expect(processorRequest('openpbs', job, 8)).toBe('select=2:ncpus=8:mpiprocs=2:ompthreads=4');
    expect(requestOptions(job, 'openpbs')).toEqual(['-l', 'place=scatter']);
    expect(honoursOf('torque')).not.toContain('tasks');
    expect(honoursOf('openpbs')).not.toContain('qos');
  });

  test('what stands beside the processors', () => {
    const job = spec(
      1,
      { licences: [{ name: 'matlab', count: 2 }], exclusive: true, memoryPerNodeMebibytes: 9 },
      { terms: { account: 'phys' }, mail: { address: 'a@b.c', events: ['BEGIN', 'FAIL'] } },
    );
    const both = ['-l', 'matlab=2', '-A', 'phys', '-m', 'ba', '-M', 'a@b.c'];
    expect(requestOptions(job, 'openpbs')).toEqual(['-l', 'place=excl', ...both]);
    expect(requestOptions(job, 'torque')).toEqual(['-l', 'mem=9mb', '-n', ...both]);
  });

  test.each([
    ['nodes', spec(5, { nodes: 2 })],
    ['gpus', spec(4, { nodes: 2, gpus: 3 })],
    ['constraints', spec(1, { constraints: ['a=b'] })],
  ])('%s that cannot be had are refused by name', (name, job) => {
    expect(() => processorRequest('openpbs', job, 8)).toThrow(Rejected);
    expect(() => processorRequest('openpbs', job, 8)).toThrow(name);
  });
});

test('what a node has, of either kind', () => {
  const openpbs = {
    'resources_available.mem': '2048mb',
    'resources_available.ngpus': '2',
    'resources_available.big': 'True',
  };
  expect(equipmentOf(new Map(Object.entries(openpbs)))).toEqual({
    memoryMebibytes: 2048,
    gpus: [{ kind: null, count: 2 }],
    features: ['big'],
  });
  const torque = { status: 'rectime=1,physmem=1048576kb,ncpus=8', gpus: '1', properties: 'fast,big' };
  expect(equipmentOf(new Map(Object.entries(torque)))).toEqual({
    memoryMebibytes: 1024,
    gpus: [{ kind: null, count: 1 }],
    features: ['big', 'fast'],
  });
});
