import { expect, test } from 'vitest';
import { countOfTres, parseFeatures, parseGpus } from '../../../adapters/slurm/parse-equipment.ts';
import { licenceCounts, nodeShapesOf, parseBillingWeights } from '../../../adapters/slurm/site-resources.ts';

test.each([
  ['gpu:a100:2(S:0-1)', [{ kind: 'a100', count: 2 }]],
  [
    'gpu:a100:4(S:0,1),gpu:v100:1,nic:1',
    [
      { kind: 'a100', count: 4 },
      { kind: 'v100', count: 1 },
    ],
  ],
  ['gpu:2', [{ kind: null, count: 2 }]],
  ['gpu:a100:no_consume:2', [{ kind: 'a100', count: 2 }]],
  ['gpu:h100:1K', [{ kind: 'h100', count: 1024 }]],
  ['gpu:a100:1(IDX:0),mps:0', [{ kind: 'a100', count: 1 }]],
  ['(null)', []],
  ['', []],
])('GPUs in %j', (text, gpus) => {
  expect(parseGpus(text)).toEqual(gpus);
});

test('features, and what a job was given', () => {
  expect(parseFeatures('fast,ib')).toEqual(['fast', 'ib']);
  expect(parseFeatures('(null)')).toEqual([]);
  const given = 'billing=9,cpu=4,gres/gpu:a100=2,gres/gpu=3,mem=1200M';
  expect(countOfTres(given, 'gres/gpu')).toBe(3);
  expect(countOfTres(given, 'billing')).toBe(9);
  expect(countOfTres(given, 'mem')).toBeNull();
  expect(countOfTres('', 'billing')).toBeNull();
});

test('what is billed, memory by its unit, a GPU also as one of its kind', () => {
  expect(parseBillingWeights('CPU=1.0,Mem=0.25G,GRES/gpu=8.0', false)).toEqual({
    ...{ perProcessor: 1, perGibibyte: 0.25, perGpu: 8 },
  });
  expect(parseBillingWeights('CPU=2,Mem=0.001,GRES/gpu:a100=4,gres/gpu=1', true)).toEqual({
    ...{ perProcessor: 2, perGibibyte: 1.024, perGpu: 1, perGpuOfKind: { a100: 5 }, isLargestOnly: true },
  });
  expect(parseBillingWeights('Mem=512T', false)).toMatchObject({ perProcessor: 0, perGibibyte: 0.5 });
  expect(parseBillingWeights('', false)).toBeNull();
  expect(parseBillingWeights('(null)', false)).toBeNull();
});

test('licences of one name are added up', () => {
  const some = [
    { name: 'a', total: 1 },
    { name: 'b', total: 2 },
    { name: 'a', total: 3 },
  ];
  expect(licenceCounts(some)).toEqual([
    { name: 'a', count: 4 },
    { name: 'b', count: 2 },
  ]);
});

test('nodes that are alike are one shape, with the queues that may use them', () => {
  const equipment = { memoryMebibytes: 1000, tmpMebibytes: 5, features: ['x'], gpus: [] };
  const some = { nodes: 2, hostlist: 'n[1-2]', processorsPerNode: 8, isInService: true, equipment };
  const partition = (name: string, maxProcessorsPerNode: number | null) => ({
    ...{ name, isDefault: false, isUp: true, state: 'UP', processors: 16, nodes: 2, maxNodes: null, maxSeconds: null },
    access: {
      ...{ isOfOtherGroups: false, isRootOnly: false, needsReservation: false },
      ...{ allowAccounts: null, denyAccounts: [], allowQos: null, denyQos: [] },
    },
    ...{ maxProcessorsPerNode, defaultMemory: null, maxMemoryPerProcessorMebibytes: null },
    ...{ isWholeNodes: false, billingWeights: '' },
  });
  const layout = {
    partitions: [partition('a', null), partition('b', null), partition('half', 4)],
    processors: { allocated: 0, idle: 16, other: 0 },
    nodes: ['a', 'b', 'half'].flatMap((name) => [
      { ...some, partition: name },
      { ...some, ...{ partition: name, nodes: 1, hostlist: 'n3', isInService: false } },
    ]),
    settings: null,
  };
  expect(nodeShapesOf(layout)).toEqual([
    { ...equipment, processors: 8, count: 3, inService: 2, queues: ['a', 'b'] },
    { ...equipment, processors: 4, count: 3, inService: 2, queues: ['half'] },
  ]);
  expect(nodeShapesOf({ ...layout, nodes: null })).toEqual([]);
});
