import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseHosts, type QueueInstance } from '../../../adapters/gridengine/parse.ts';
import { QueueAccess } from '../../../adapters/gridengine/queue-access.ts';
import { barOf } from '../../../adapters/gridengine/queue-bars.ts';
import { parseQueues, queueFacts } from '../../../adapters/gridengine/queues.ts';
import { asWindow, parseReservations } from '../../../adapters/gridengine/reservations.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/gridengine/${name}`, import.meta.url), 'utf8');
}

const INSTANCE: QueueInstance = {
  queue: 'a.q',
  host: 'n1',
  types: 'BP',
  slots: 8,
  usedSlots: 0,
  reservedSlots: 0,
  state: '',
};
const inStates = (...states: string[]) => states.map((state, index) => ({ ...INSTANCE, host: `n${index}`, state }));
const OPEN = { bar: null, unusableBecause: null };

describe('the bar of a queue', () => {
  test.each([
    [['d'], 'DOWN', 'on its only host it is disabled (d)'],
    [['D'], 'DOWN', 'on its only host it is disabled by its calendar (D)'],
    [['au'], 'DOWN', 'on its only host it is not heard of (u)'],
    [['d', 'dE', 'u'], 'DOWN', 'on all of its 3 hosts it is disabled (d) or in error (E) or not heard of (u)'],
  ])('every host in %j: %s', (states, bar, unusableBecause) => {
    expect(barOf(inStates(...states), null)).toEqual({ bar, unusableBecause });
  });

  test.each([[['']], [['d', '']], [['a']], [['A']], [['S']], [['d', 'S']]])('hosts in %j: none', (states) => {
    expect(barOf(inStates(...states), null)).toEqual(OPEN);
  });

  test('what the cell says against us comes first, for it does not pass', () => {
    expect(barOf(inStates('d'), 'no permission')).toEqual({ bar: 'FORBIDDEN', unusableBecause: 'no permission' });
  });

  test.each([
    [['', ''], 16],
    [['', 'd'], 8],
    [['', 'S'], 8],
    [['d', 'u'], 0],
  ])('of two hosts in %j jobs of %i processors can be held', (states, usableProcessors) => {
    const [queue] = parseQueues('qname a.q\npe_list mpi\n');
    if (!queue) throw new Error('one queue');
    const environment = { name: 'mpi', slots: 100, allocationRule: '$fill_up' };
    const hosts = { instances: inStates(...states), slotsLeft: new Map() };
    expect(queueFacts([queue], [environment], hosts, new Map())).toMatchObject([
      { maxProcessors: 16, usableProcessors },
    ]);
  });

  test('is a fact of each queue by itself', () => {
    const queues = parseQueues(fixture('qconf-sq.txt'));
    const facts = queueFacts(queues, [], parseHosts(fixture('qhost-disabled.xml')), new Map([['batch.q', 'not us']]));
    expect(facts.map(({ name, bar }) => [name, bar])).toEqual([
      ['batch.q', 'FORBIDDEN'],
      ['short.q', 'DOWN'],
    ]);
  });
});

describe('access to queues', () => {
  const listsOf = (text: string) => parseQueues(`qname a.q\n${text}`)[0]?.accessLists;

  test('is limited by lists of users and projects, of single hosts too', () => {
    expect(listsOf('user_lists NONE\nxuser_lists NONE\nprojects NONE\nxprojects NONE\n')).toBeNull();
    expect(listsOf('')).toBeNull();
    expect(listsOf('user_lists staff\n')).toBe('staff NONE NONE NONE');
    expect(listsOf('xprojects NONE,[n1=secret]\n')).toBe('NONE NONE NONE NONE,[n1=secret]');
  });

  test('is asked for where there are lists, when they change, and every five minutes', async () => {
    const asked: string[] = [];
    const access = new QueueAccess(async (queue) => {
      asked.push(queue);
      return queue === 'theirs.q' ? 'no permission' : null;
    });
    const look = async (now: number, lists = 'staff') => {
      const [free, theirs, ours] = parseQueues('qname free.q\n\nqname theirs.q\n\nqname ours.q\n');
      if (!free || !theirs || !ours) throw new Error('three queues');
      const limited = [theirs, ours].map((queue) => ({ ...queue, accessLists: lists }));
      return [...(await access.refusals([free, ...limited], now))];
    };
    expect(await look(1000)).toEqual([['theirs.q', 'no permission']]);
    expect(await look(1200)).toEqual([['theirs.q', 'no permission']]);
    expect(asked).toEqual(['theirs.q', 'ours.q']);
    await look(1250, 'others');
    expect(asked.length).toBe(4);
    await look(1551, 'others');
    expect(asked.length).toBe(6);
  });
});

describe('advance reservations', () => {
  test('are windows of the slots that were granted', () => {
    const [reservation] = parseReservations(fixture('qrstat-ar.xml'));
    if (!reservation) throw new Error('one reservation');
    const [startAt, endAt] = ['2026-11-22T10:59:00Z', '2026-11-22T11:59:00Z'].map((at) => Date.parse(at) / 1000);
    expect(asWindow(reservation, 16)).toEqual({ startAt, endAt, processors: 4, reason: 'reservation maint of root' });
    expect(asWindow(reservation, 4).processors).toBeNull();
  });

  test('none is an answer, half an answer is none', () => {
    expect(parseReservations('<?xml version=\'1.0\'?>\n<qrstat xmlns:xsd="x">\n</qrstat>\n')).toEqual([]);
    expect(() => parseReservations(fixture('qrstat-ar.xml').slice(0, 400))).toThrow('no whole');
    expect(() => parseReservations('')).toThrow('no whole');
  });
});
