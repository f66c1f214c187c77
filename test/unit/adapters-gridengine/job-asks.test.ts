import { describe, expect, test } from 'vitest';
import { type AccountingEntry, outcomeOf, parseAccounting } from '../../../adapters/gridengine/accounting.ts';
import { parseComplexes, parseHostEquipment } from '../../../adapters/gridengine/complexes.ts';
import { gridEngineConfig } from '../../../adapters/gridengine/config.ts';
import { licencesOf, shapesOf } from '../../../adapters/gridengine/equipment.ts';
import { hostsAsked, requestOptions } from '../../../adapters/gridengine/job-asks.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { JobSpec } from '../../../src/domain/job.ts';

const COMPLEXES = parseComplexes(`#name shortcut type relop requestable consumable default urgency
#------
h_vmem     h_vmem    MEMORY <=   YES YES 1G    0
gpu        gpu       INT    <=   YES YES 0     0
exclusive  excl      BOOL   EXCL YES YES 0     1000
bigmem     bigmem    BOOL   ==   YES NO  FALSE 0
matlab     matlab    INT    <=   YES JOB 0     0
scratch    scratch   MEMORY <=   YES YES 0     0
slots      s         INT    <=   YES YES 1     1000
`);
const NAMES = gridEngineConfig.parse({ gpuResource: 'gpu', exclusiveResource: 'exclusive', tmpResource: 'scratch' });
const asked = (processors: number, more: Partial<JobSpec>) =>
  requestOptions(
    { name: 'x', script: 'true\n', arguments: [], processors, walltimeSeconds: 60, queue: null, ...more },
    NAMES,
    COMPLEXES,
  );

describe('what is asked of Grid Engine', () => {
  test('a consumable by its share of a slot, one of jobs as a whole', () => {
    const resources = {
      memoryPerNodeMebibytes: 301,
      gpus: 4,
      licences: [{ name: 'matlab', count: 3 }],
      constraints: ['bigmem'],
    };
    expect(asked(2, { resources })).toEqual([
      ...['-w', 'n', '-l', 'h_vmem=151M', '-l', 'gpu=2', '-l', 'bigmem=TRUE', '-l', 'matlab=3'],
    ]);
    expect(
      asked(2, { resources: { memoryPerProcessorMebibytes: 10, exclusive: true, tmpPerNodeMebibytes: 5 } }),
    ).toEqual([...['-w', 'n', '-l', 'h_vmem=10M', '-l', 'exclusive=TRUE', '-l', 'scratch=3M']]);
  });

  test('account, reservation and mails', () => {
    const terms = { account: 'phys', siteReservation: '7' };
    const mail = { address: 'a@b.c', events: ['END', 'FAIL'] } as const;
    expect(asked(1, { terms, mail })).toEqual(['-w', 'n', '-A', 'phys', '-ar', '7', '-m', 'ea', '-M', 'a@b.c']);
  });

  test.each([
    ['tasks', { resources: { tasks: 2 } }],
    ['gpuKind', { resources: { gpus: 2, gpuKind: 'a100' } }],
    ['gpus', { resources: { gpus: 3 } }],
    ['constraints', { resources: { constraints: ['nope'] } }],
    ['constraints', { resources: { constraints: ['bigmem,h_rt=9'] } }],
    ['licences', { resources: { licences: [{ name: 'a-b', count: 1 }] } }],
    ['siteReservation', { terms: { siteReservation: 'seven' } }],
    ['account', { terms: { account: '-verify x' } }],
    ['qos', { terms: { qos: 'high' } }],
    ['mail', { mail: { address: 'a@b.c,-x', events: [] } }],
  ] as const)('%s that cannot be had is refused by name', (name, more) => {
    expect(() => asked(2, more)).toThrow(Rejected);
    expect(() => asked(2, more)).toThrow(name);
  });

  test('memory of a node is of one host unless nodes are asked for', () => {
    const job = { name: 'x', script: '', arguments: [], processors: 4, walltimeSeconds: 1, queue: null };
    expect(hostsAsked({ ...job, resources: { memoryPerNodeMebibytes: 1 } })).toBe(1);
    expect(hostsAsked({ ...job, resources: { nodes: 2, memoryPerNodeMebibytes: 1 } })).toBe(2);
    expect(hostsAsked({ ...job, resources: { gpus: 1 } })).toBeNull();
  });
});

test('hosts by their shapes, and what is counted out wherever a job runs', () => {
  const host = parseHostEquipment(
    'hostname  node1\ncomplex_values  slots=8,h_vmem=4G,gpu=4,exclusive=true,bigmem=true, \\\n   scratch=10G\nload_values num_proc=2,mem_total=24105.55M\n',
  );
  const plain = parseHostEquipment('hostname  node2\ncomplex_values  NONE\nload_values mem_total=2048.0M\n');
  const global = parseHostEquipment('hostname  global\ncomplex_values  matlab=3\nload_values NONE\n');
  const instance = { queue: 'batch.q', types: 'BP', slots: 8, usedSlots: 0, reservedSlots: 0, state: '' };
  const instances = [
    { ...instance, host: 'node1' },
    { ...instance, host: 'node2', slots: 2, state: 'au' },
  ];
  expect(shapesOf({ instances, slotsLeft: new Map() }, [host, plain], COMPLEXES, NAMES)).toEqual([
    {
      ...{ count: 1, processors: 8, memoryMebibytes: 4096, gpus: [{ kind: null, count: 4 }], features: ['bigmem'] },
      ...{ tmpMebibytes: 10_240, queues: ['batch.q'], inService: 1 },
    },
    { count: 1, inService: 0, processors: 2, memoryMebibytes: 2048, gpus: [], features: [], queues: ['batch.q'] },
  ]);
  expect(licencesOf(global, COMPLEXES)).toEqual([{ name: 'matlab', count: 3 }]);
});

describe('the end of a job that had too much memory', () => {
  const killed =
    'batch.q:ge:alice:alice:gridcast.k:6:sge:0:1795447493:1795447493:1795447494:37:137:0:0.010931:0.009381:4932.0:0:0:0:0:1238:0:0:0.0:24:0:0:0:16:14:NONE:defaultdepartment:NONE:1:0:0.05:0.000524:0.000095:-l h_rt=3600,h_vmem=100M:0.000000:NONE:116060160.000000:0:0\n';
  const [entry] = parseAccounting(killed) as [AccountingEntry];

  test('is told by the daemon that ended it, or by what it had when it was killed', () => {
    expect(outcomeOf(entry)).toBe('OUT_OF_MEMORY');
    expect(outcomeOf({ ...entry, failed: 100 })).toBe('OUT_OF_MEMORY');
    expect(outcomeOf({ ...entry, failed: 100, processors: 2, memoryLimitBytes: 2 * 104_857_600 })).toBe('CANCELLED');
    expect(outcomeOf({ ...entry, failed: 100, memoryLimitBytes: null })).toBe('CANCELLED');
  });
});
