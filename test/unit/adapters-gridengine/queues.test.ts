import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { capacityOf } from '../../../adapters/gridengine/capacity.ts';
import { parseHosts, type QueueInstance } from '../../../adapters/gridengine/parse.ts';
import {
  chooseEnvironment,
  type ParallelEnvironment,
  parseParallelEnvironment,
  parseQueues,
  type QueueConfiguration,
  queueFacts,
} from '../../../adapters/gridengine/queues.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/gridengine/${name}`, import.meta.url), 'utf8');
}

const queues = parseQueues(fixture('qconf-sq.txt'));
const environments = ['smp', 'mpi'].map((name) => parseParallelEnvironment(fixture(`qconf-sp-${name}.txt`)));
const hosts = parseHosts(fixture('qhost.xml'));

const INSTANCE: QueueInstance = {
  queue: 'a.q',
  host: 'n1',
  types: 'BP',
  slots: 8,
  usedSlots: 0,
  reservedSlots: 0,
  state: '',
};
const QUEUE: QueueConfiguration = {
  name: 'a.q',
  sequence: 0,
  maxWalltimeSeconds: null,
  parallelEnvironments: [],
  accessLists: null,
};
const onHosts = (count: number, slots: number) =>
  Array.from({ length: count }, (_, index) => ({ ...INSTANCE, host: `n${index}`, slots }));

describe('queues and parallel environments', () => {
  test('qconf is understood', () => {
    expect(queues.toSorted((a, b) => a.sequence - b.sequence)).toEqual([
      {
        name: 'batch.q',
        sequence: 0,
        maxWalltimeSeconds: 86_400,
        parallelEnvironments: ['make', 'smp', 'mpi'],
        accessLists: null,
      },
      {
        name: 'short.q',
        sequence: 10,
        maxWalltimeSeconds: 600,
        parallelEnvironments: ['make', 'smp'],
        accessLists: null,
      },
    ]);
    expect(environments).toEqual([
      { name: 'smp', slots: 9999, allocationRule: '$pe_slots' },
      { name: 'mpi', slots: 9999, allocationRule: '$fill_up' },
    ]);
  });

  test('a limit that hosts have of their own is the largest of them, a list goes on behind a backslash', () => {
    const [queue] = parseQueues('qname a.q\nh_rt 1:0:0,[n1=2:0:0], \\\n     [@big=3:0:0]\npe_list NONE,[n1=smp mpi]\n');
    expect(queue).toMatchObject({ maxWalltimeSeconds: 10_800, parallelEnvironments: ['smp', 'mpi'] });
    expect(parseQueues('qname a.q\nh_rt 1:0:0,[n1=INFINITY]\n')[0]?.maxWalltimeSeconds).toBeNull();
  });

  test('facts: the largest job of each queue, and no default where there are several', () => {
    const open = { bar: null, unusableBecause: null };
    expect(queueFacts(queues, environments, hosts, new Map())).toEqual([
      {
        name: 'batch.q',
        isDefault: false,
        maxProcessors: 16,
        usableProcessors: 16,
        maxWalltimeSeconds: 86_400,
        ...open,
      },
      { name: 'short.q', isDefault: false, maxProcessors: 6, usableProcessors: 6, maxWalltimeSeconds: 600, ...open },
    ]);
    expect(queueFacts(queues.slice(0, 1), [], hosts, new Map())).toMatchObject([{ isDefault: true, maxProcessors: 1 }]);
  });

  const rules = (...allocationRules: string[]): ParallelEnvironment[] =>
    allocationRules.map((allocationRule) => ({ name: allocationRule, slots: 100, allocationRule }));
  const choose = (processors: number, offered: ParallelEnvironment[], instances = onHosts(4, 8)) =>
    chooseEnvironment(
      processors,
      null,
      [{ ...QUEUE, parallelEnvironments: offered.map(({ name }) => name) }],
      offered,
      { instances, slotsLeft: new Map() },
    );

  test.each([
    [4, ['$round_robin', '$fill_up', '$pe_slots'], '$pe_slots'],
    [9, ['$round_robin', '$fill_up', '$pe_slots'], '$fill_up'],
    [9, ['$round_robin', '$pe_slots'], '$round_robin'],
    [9, ['$pe_slots'], null],
    [12, ['4'], '4'],
    [13, ['4'], null],
    [16, ['16'], null],
    [33, ['$fill_up'], null],
    [2, [], null],
  ])('%i processors out of %j: %s', (processors, offered, chosen) => {
    expect(choose(processors, rules(...offered))).toBe(chosen);
  });
});

describe('processors', () => {
  const capacity = (instances: QueueInstance[], slotsLeft: [string, number][] = []) =>
    capacityOf({ instances, slotsLeft: new Map(slotsLeft) });

  test('the recorded cell: two queues share sixteen slots, all of them taken', () => {
    expect(capacityOf(hosts)).toEqual({ all: 16, inService: 16, free: 0 });
  });

  test('hosts without a limit of their own have the slots of their queues together', () => {
    expect(capacity([...onHosts(3, 8), { ...INSTANCE, queue: 'b.q', host: 'n0', slots: 4 }])).toEqual({
      all: 28,
      inService: 28,
      free: 28,
    });
  });

  test('what is down, disabled, suspended or in error counts only for the jobs it still has', () => {
    for (const state of ['u', 'au', 'd', 'D', 's', 'S', 'C', 'E', 'o', 'c']) {
      const one = { ...INSTANCE, host: 'n9', state, usedSlots: 3 };
      expect(capacity([INSTANCE, one])).toEqual({ all: 16, inService: 11, free: 8 });
    }
    expect(capacity([{ ...INSTANCE, state: 'a' }]).free).toBe(8);
  });

  test('reserved slots are not free, interactive queues are none of ours', () => {
    expect(capacity([{ ...INSTANCE, usedSlots: 2, reservedSlots: 5 }]).free).toBe(1);
    expect(capacity([{ ...INSTANCE, types: 'I' }]).all).toBe(0);
    expect(capacity([{ ...INSTANCE, usedSlots: 2 }], [['n1', 1]])).toEqual({ all: 3, inService: 3, free: 1 });
  });
});
