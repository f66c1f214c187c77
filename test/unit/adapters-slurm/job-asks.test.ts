import { describe, expect, test } from 'vitest';
import { asksFor } from '../../../adapters/slurm/job-asks.ts';
import { shapeOf } from '../../../adapters/slurm/job-shape.ts';
import type { PartitionLayout } from '../../../adapters/slurm/layout.ts';
import type { SlurmNodes } from '../../../adapters/slurm/slurm-job.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { JobResources } from '../../../src/domain/resources.ts';

const BATCH = {
  ...{ name: 'batch', isDefault: true, isUp: true, state: 'UP', processors: 40, nodes: 5 },
  access: {
    ...{ isOfOtherGroups: false, isRootOnly: false, needsReservation: false },
    ...{ allowAccounts: null, denyAccounts: [], allowQos: null, denyQos: [] },
  },
  ...{ maxNodes: null, maxProcessorsPerNode: null, maxSeconds: null, billingWeights: '' },
  ...{ defaultMemory: null, maxMemoryPerProcessorMebibytes: null, isWholeNodes: false },
};

const nodes = (count: number, processorsPerNode: number, equipment: Partial<SlurmNodes['equipment']> = {}) => ({
  ...{ partition: 'batch', nodes: count, hostlist: '', processorsPerNode, isInService: true },
  equipment: { memoryMebibytes: 16_000, tmpMebibytes: 100, features: ['ib'], gpus: [], ...equipment },
});
const WHERE: PartitionLayout = {
  partition: BATCH,
  nodes: [nodes(4, 4), nodes(1, 8, { gpus: [{ kind: 'a100', count: 2 }], features: ['fast', 'ib'] })],
  ...{ isMemoryCounted: true, defaultMemory: null, maxMemoryPerProcessorMebibytes: null, isWholeNodes: false },
};
const SPEC: JobSpec = {
  ...{ name: 'Mine', script: 'true', arguments: [], processors: 2, walltimeSeconds: 61, queue: null },
};
const shape = (processors: number, resources: JobResources = {}, where: PartitionLayout | null = WHERE) => {
  const { nodes, tasks, tasksPerNode, processorsPerTask } = shapeOf({ processors, resources }, where);
  return [nodes && `${nodes.least}-${nodes.most}`, tasks, tasksPerNode, processorsPerTask];
};

describe('how a job lies on nodes', () => {
  test('without a word of it: one task on one node, or on as few as hold it a task for each processor', () => {
    expect(shape(1)).toEqual(['1-1', 1, null, 1]);
    expect(shape(8)).toEqual(['1-1', 1, null, 8]);
    expect(shape(9)).toEqual(['1-2', 9, null, 1]);
    expect(shape(24)).toEqual(['1-5', 24, null, 1]);
    expect(shape(25)).toEqual([null, 25, null, 1]);
    expect(shape(2, {}, null)).toEqual([null, 2, null, 1]);
  });

  test('nodes out of service count only where the others do not hold it', () => {
    const broken = { ...nodes(1, 8), isInService: false };
    expect(shape(8, {}, { ...WHERE, nodes: [nodes(4, 4), broken] })).toEqual(['1-2', 8, null, 1]);
    expect(shape(8, {}, { ...WHERE, nodes: [nodes(1, 4), broken] })).toEqual(['1-1', 1, null, 8]);
  });

  test('a partition may grant less of a node than it has', () => {
    expect(shape(8, {}, { ...WHERE, partition: { ...BATCH, maxProcessorsPerNode: 2 } })).toEqual(['1-4', 8, null, 1]);
  });

  test('memory, GPUs, disk and features of nodes count', () => {
    expect(shape(4, { memoryPerProcessorMebibytes: 6000 })).toEqual(['1-2', 4, null, 1]);
    expect(shape(2, { constraints: ['fast'], gpus: 2 })).toEqual(['1-1', 1, null, 2]);
    expect(shape(2, { gpuKind: 'v100', gpus: 1 })).toEqual([null, 2, null, 1]);
    expect(shape(8, { memoryPerNodeMebibytes: 17_000 })).toEqual([null, 8, null, 1]);
    expect(shape(2, { tmpPerNodeMebibytes: 101 })).toEqual([null, 2, null, 1]);
  });

  test('tasks and nodes as they are stated', () => {
    expect(shape(4, { tasks: 4 })).toEqual(['1-1', 4, null, 1]);
    expect(shape(8, { tasks: 2 })).toEqual(['1-1', 2, null, 4]);
    expect(shape(8, { tasks: 2, tasksPerNode: 1 })).toEqual(['1-2', 2, 1, 4]);
    expect(shape(4, { nodes: 2, tasksPerNode: 2 })).toEqual(['2-2', 4, 2, 1]);
    expect(shape(4, { processorsPerTask: 4 })).toEqual(['1-1', 1, null, 4]);
    expect(shape(4, { nodes: 1 })).toEqual(['1-1', 1, null, 4]);
    expect(shape(7, { nodes: 2 })).toEqual(['2-2', 7, 4, 1]);
  });
});

/** The words of sbatch. */
function options(change: Partial<JobSpec>, where: PartitionLayout | null = WHERE): string[] {
  const asks = asksFor({ ...SPEC, ...change }, 'gridcast.k', { workFolder: '/w' }, where);
  return asks.map(({ option, value }) => (value === null ? option : `${option}=${value}`));
}

describe('what is asked of Slurm', () => {
  test('the comment names the tenant whose job it is, in plain letters', () => {
    expect(options({ tenant: 'astro' })).toContain('comment=gridcast.k tenant=astro Mine');
    expect(options({ tenant: 'a b\n"c' })).toContain('comment=gridcast.k tenant=a_b__c Mine');
  });

  test('every request by an option of its own', () => {
    const resources: JobResources = {
      ...{ nodes: 2, tasks: 4, tasksPerNode: 2, processorsPerTask: 1, memoryPerNodeMebibytes: 300 },
      ...{ gpus: 2, gpuKind: 'a100', constraints: ['fast', 'ib'], exclusive: true, tmpPerNodeMebibytes: 50 },
      licences: [
        { name: 'matlab', count: 2 },
        { name: 'ansys@far', count: 1 },
      ],
    };
    const terms = { account: 'phys', qos: 'urgent', siteReservation: 'course' };
    const mail = { address: 'me@x.org', events: ['BEGIN', 'FAIL'] as const };
    expect(options({ processors: 4, queue: 'batch', resources, terms, workFolder: '/mine', mail })).toEqual([
      ...['job-name=gridcast.k', 'comment=gridcast.k Mine', 'time=2', 'partition=batch', 'chdir=/w'],
      ...['nodes=2', 'ntasks=4', 'ntasks-per-node=2', 'cpus-per-task=1', 'mem=300M', 'gpus=a100:2'],
      ...['constraint=fast&ib', 'exclusive', 'licenses=matlab:2,ansys@far:1', 'tmp=50M'],
      ...['account=phys', 'qos=urgent', 'reservation=course', 'mail-type=BEGIN,FAIL', 'mail-user=me@x.org'],
    ]);
  });

  test('memory that is not asked for is a share of a node, unless the site has a default, or does not count it', () => {
    const memory = (where: PartitionLayout | null, resources: JobResources = {}) =>
      options({ resources }, where).filter((word) => word.startsWith('mem'));
    expect(memory(WHERE)).toEqual(['mem-per-cpu=1800M']);
    expect(memory({ ...WHERE, isMemoryCounted: null })).toEqual(['mem-per-cpu=1800M']);
    expect(memory({ ...WHERE, maxMemoryPerProcessorMebibytes: 700 })).toEqual(['mem-per-cpu=700M']);
    expect(memory(WHERE, { memoryPerProcessorMebibytes: 70 })).toEqual(['mem-per-cpu=70M']);
    expect(memory({ ...WHERE, defaultMemory: { perNodeMebibytes: 1 } })).toEqual([]);
    expect(memory({ ...WHERE, isMemoryCounted: false })).toEqual([]);
    expect(memory({ ...WHERE, isWholeNodes: true })).toEqual([]);
    expect(memory(WHERE, { exclusive: true })).toEqual([]);
    expect(memory(null)).toEqual([]);
    expect(memory({ ...WHERE, nodes: [{ ...nodes(1, 4), equipment: null }] })).toEqual([]);
  });

  test.each([
    ['resources.gpuKind', { resources: { gpus: 1, gpuKind: 'a100:1,v100' } }],
    ['resources.gpuKind', { resources: { gpuKind: 'a100' } }],
    ['resources.constraints.1', { resources: { constraints: ['ib', 'fast|slow'] } }],
    ['resources.licences.0.name', { resources: { licences: [{ name: 'a:1,b', count: 1 }] } }],
    ['terms.account', { terms: { account: '' } }],
    ['terms.qos', { terms: { qos: '--wrap' } }],
    ['terms.siteReservation', { terms: { siteReservation: 'a,b' } }],
    ['mail.address', { mail: { address: '-f/etc/passwd', events: [] } }],
    ['mail.address', { mail: { address: 'a@b.c;touch x', events: [] } }],
    ['workFolder', { workFolder: 'here' }],
  ] satisfies [string, Partial<JobSpec>][])('what Slurm would read more into is refused: %s', (field, change) => {
    expect(() => options(change)).toThrow(new RegExp(`^${field.replaceAll('.', '\\.')} is `));
  });
});
