import { describe, expect, test } from 'vitest';
import { oarConfig } from '../../../adapters/oar/config.ts';
import { parseProperties, shapesOf } from '../../../adapters/oar/equipment.ts';
import { honoursOf, requestOptions, resourceRequest } from '../../../adapters/oar/job-asks.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { JobResources } from '../../../src/domain/resources.ts';

const NAMES = oarConfig.parse({
  workFolder: '/work',
  memoryProperty: 'memnode',
  memoryUnitMebibytes: 1024,
  gpuResource: 'gpu',
  gpuKindProperty: 'gpu_model',
});
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

describe('what is asked of OAR', () => {
  test.each([
    [2, {}, '/network_address=1/resource_id=2'],
    [8, {}, '/network_address=2/resource_id=4'],
    [7, {}, '/resource_id=7'],
    [2, { nodes: 2 }, '/network_address=2/resource_id=1'],
    [4, { gpus: 2 }, '/network_address=1/gpu=2/resource_id=2'],
    [5, { exclusive: true }, '/network_address=2'],
  ])('%i processors with %j on nodes of four: %s', (processors, resources, request) => {
    expect(resourceRequest(spec(processors, resources), NAMES, 4)).toBe(request);
  });

  test('properties, project and mails', () => {
    const resources = { constraints: ['bigmem'], memoryPerNodeMebibytes: 2500, gpus: 1, gpuKind: 'V100' };
    const job = spec(1, resources, {
      terms: { account: 'phys' },
      mail: { address: 'a@b.c', events: ['BEGIN', 'FAIL'] },
    });
    expect(requestOptions(job, NAMES)).toEqual([
      '-p',
      "bigmem = 'YES' AND memnode >= 3 AND gpu_model = 'V100'",
      '--project=phys',
      '--notify=[RUNNING,ERROR]mail:a@b.c',
    ]);
  });

  test.each([
    ['tasks', { resources: { tasks: 2 } }],
    ['nodes', { resources: { nodes: 3 } }],
    ['gpus', { resources: { gpus: 3 } }],
    ['licences', { resources: { licences: [{ name: 'a', count: 1 }] } }],
    ['qos', { terms: { qos: 'high' } }],
    ['gpuKind', { resources: { gpus: 1, gpuKind: "V' OR '1" } }],
    ['constraints', { resources: { constraints: ["x' OR '1"] } }],
    ['mail', { mail: { address: 'exec:/bin/sh', events: [] } }],
  ] as const)('%s that cannot be had is refused by name', (name, more) => {
    const ask = () => {
      const job = spec(2, {}, more);
      resourceRequest(job, NAMES, 4);
      requestOptions(job, NAMES);
    };
    expect(ask).toThrow(Rejected);
    expect(ask).toThrow(name);
  });

  test('without names for them memory and GPUs are nothing to ask for', () => {
    const plain = oarConfig.parse({ workFolder: '/work' });
    expect(honoursOf(plain)).toEqual([
      'nodes',
      'constraints',
      'exclusive',
      'account',
      'environment',
      'workFolder',
      'mail',
    ]);
  });
});

test('nodes by their shapes', () => {
  const row = (id: number, node: string, more: object) => ({
    type: 'default',
    state: 'Alive',
    resource_id: id,
    network_address: node,
    ...{ memnode: 64, gpu: 0, gpu_model: null, besteffort: 'YES', bigmem: 'YES' },
    ...more,
  });
  const rows = [
    ...[1, 2, 3, 4].map((id) => row(id, 'n1', { gpu: Math.ceil(id / 2), gpu_model: 'V100' })),
    ...[5, 6].map((id) => row(id, 'n2', { bigmem: null, memnode: null })),
    ...[7, 8].map((id) => row(id, 'n3', { ...{ bigmem: null, memnode: null }, state: 'Absent', available_upto: 100 })),
    row(9, 'n4', { state: 'Dead' }),
  ];
  const text = JSON.stringify(Object.fromEntries(rows.map((one) => [one.resource_id, one])));
  const fat = { processors: 4, memoryMebibytes: 65_536, gpus: [{ kind: 'V100', count: 2 }], features: ['bigmem'] };
  const thin = { processors: 2, memoryMebibytes: null, gpus: [], features: [] };
  expect(shapesOf(parseProperties(text), NAMES, null)).toEqual([
    { ...fat, count: 1, inService: 1 },
    { ...thin, count: 2, inService: 1 },
  ]);
  expect(shapesOf(parseProperties(text), NAMES, 50)[1], 'one that is woken for jobs takes them').toMatchObject({
    inService: 2,
  });
  const draining = shapesOf(parseProperties(text.replaceAll('"Alive"', '"Alive","drain":"YES"')), NAMES, null);
  expect(draining.map(({ inService }) => inService)).toEqual([0, 0]);
});
