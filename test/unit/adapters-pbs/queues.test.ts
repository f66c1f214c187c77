import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAccount, refusalOf } from '../../../adapters/pbs/access.ts';
import { type Attributes, parseJson, parseText } from '../../../adapters/pbs/attributes.ts';
import { queuesOf } from '../../../adapters/pbs/queues.ts';
import { parseReservations, windowsOf } from '../../../adapters/pbs/reservations.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/pbs/${name}`, import.meta.url), 'utf8');
}

const attributes = (values: Readonly<Record<string, string>>): Attributes => new Map(Object.entries(values));
const ALICE = parseAccount('uid=1001(alice) gid=1001(physics) groups=1001(physics),27(sudo)\n');
const SERVER = attributes({ default_queue: 'workq', scheduling: 'True' });
const NOTHING = { memoryMebibytes: null, gpus: [], features: [] };
const SIZE = { processors: 8, usedProcessors: 0, inService: 8, freeProcessors: 8 };
const NODE = { ...SIZE, takesJobs: true, equipment: NOTHING };
const OPEN = { bar: null, unusableBecause: null };

/** What is said of one queue that takes and starts jobs, but for these attributes. */
function queueOf(values: Readonly<Record<string, string>>, server = SERVER) {
  const queue = attributes({ enabled: 'True', started: 'True', ...values });
  return queuesOf(new Map([['q', queue]]), { server, nodes: [NODE], account: ALICE })[0];
}

describe('queues', () => {
  test('OpenPBS: those that are closed are facts too, limits may be missing', () => {
    const queues = parseJson(fixture('openpbs-queues.json'), 'Queue');
    const [default_, quick, closed] = queuesOf(queues, { server: SERVER, nodes: [], account: null });
    const limits = { maxProcessors: 144, maxWalltimeSeconds: 172_800 };
    expect(default_).toEqual({ name: 'workq', isDefault: true, ...limits, ...OPEN });
    expect(quick).toMatchObject({ name: 'quick', isDefault: false, maxProcessors: null, maxWalltimeSeconds: 1800 });
    expect(closed).toMatchObject({ name: 'closed', bar: 'DOWN', unusableBecause: 'it is not enabled' });
  });

  test('Torque: the same from text', () => {
    const text = [
      'Queue: batch\n    queue_type = Execution\n    resources_max.nodect = 4\n    enabled = True\n    started = False\n',
      'Queue: staff\n    acl_user_enable = True\n    acl_users = carol@*,bob\n    enabled = True\n    started = True\n',
    ].join('\n');
    expect(queuesOf(parseText(text), { server: new Map(), nodes: [NODE], account: ALICE })).toMatchObject([
      { name: 'batch', maxProcessors: 32, bar: 'DOWN', unusableBecause: 'it is not started' },
      { name: 'staff', bar: 'FORBIDDEN', unusableBecause: 'its acl_users leave out alice' },
    ]);
  });

  test.each([
    [{}, OPEN],
    [{ enabled: 'False' }, { bar: 'DOWN', unusableBecause: 'it is not enabled' }],
    [{ started: 'False' }, { bar: 'DOWN', unusableBecause: 'it is not started' }],
    [{ from_route_only: 'True' }, { bar: 'FORBIDDEN', unusableBecause: 'it takes jobs from routing queues only' }],
    [{ acl_users: 'bob' }, OPEN],
    [{ acl_user_enable: 'True', acl_users: 'bob', started: 'False' }, { bar: 'FORBIDDEN' }],
    [{ acl_host_enable: 'True', acl_hosts: 'elsewhere' }, OPEN],
  ])('%j', (values, bar) => expect(queueOf(values)).toMatchObject(bar));

  test('a server that schedules nothing starts no jobs in any, one for other users takes none', () => {
    const unscheduled = attributes({ scheduling: 'False' });
    expect(queueOf({}, unscheduled)).toMatchObject({
      bar: 'DOWN',
      unusableBecause: 'scheduling is off at its server',
    });
    const foreign = attributes({ acl_user_enable: 'True', acl_users: 'bob' });
    expect(queueOf({}, foreign)).toMatchObject({ bar: 'FORBIDDEN' });
    expect(queueOf({}, new Map())).toMatchObject(OPEN);
  });

  test.each([
    [{ 'resources_max.ncpus': '64', 'resources_max.nodect': '4' }, 32],
    [{ 'resources_max.procs': '16', 'resources_max.nodect': '4' }, 16],
    [{}, null],
  ])('the largest job under %j has %s processors', (values, maxProcessors) => {
    expect(queueOf(values)).toMatchObject({ maxProcessors });
  });
});

describe('lists of users and groups', () => {
  test.each([
    ['alice', true],
    ['alice@*', true],
    ['+alice@login1', true],
    ['bob,alice@login1', true],
    ['alice2', false],
    ['alic', false],
    ['bob', false],
    ['', false],
    ['-alice', false],
    ['-alice,+', false],
    ['-bob,+', true],
    ['-alice@login1,+', true],
    ['-alice@*,+', false],
    ['-alice,alice', false],
    ['alice,-alice', true],
    ['-', false],
  ])('acl_users %j', (acl_users, isIn) => {
    const refusal = refusalOf(attributes({ acl_user_enable: 'True', acl_users }), ALICE);
    expect(refusal).toBe(isIn ? null : 'its acl_users leave out alice');
  });

  test.each([
    ['physics', true],
    ['sudo,chemistry', true],
    ['chemistry', false],
    ['-sudo,+', true],
  ])('acl_groups %j', (acl_groups, isIn) => {
    const refusal = refusalOf(attributes({ acl_group_enable: 'True', acl_groups }), ALICE);
    expect(refusal).toBe(isIn ? null : 'its acl_groups leave out physics, sudo');
  });

  test('both must have us in, unless one is enough', () => {
    const lists = { acl_user_enable: 'True', acl_users: 'bob', acl_group_enable: 'True', acl_groups: 'physics' };
    expect(refusalOf(attributes(lists), ALICE)).toContain('acl_users');
    expect(refusalOf(attributes({ ...lists, acl_logic_or: 'True' }), ALICE)).toBeNull();
    const onlyUsers = { acl_user_enable: 'True', acl_users: 'bob', acl_logic_or: 'True' };
    expect(refusalOf(attributes(onlyUsers), ALICE)).toContain('acl_users');
  });

  test('the account is who runs the commands', () => {
    expect(ALICE).toEqual({ user: 'alice', groups: ['physics', 'sudo'] });
    expect(parseAccount('uid=0(root) gid=0(root)\n')).toEqual({ user: 'root', groups: ['root'] });
    expect(() => parseAccount('uid=1001 gid=1001')).toThrow('does not tell');
  });
});

describe('reservations', () => {
  const at = (text: string) => Date.parse(`${text}Z`) / 1000;

  test('that stand are windows of the processors on their nodes, the first one first', () => {
    expect(windowsOf(parseReservations(fixture('openpbs-reservations.txt')), 18)).toEqual([
      {
        startAt: at('2026-11-22T06:00:00'),
        endAt: at('2026-11-22T18:00:00'),
        processors: null,
        reason: 'reservation M13.pbs of root',
      },
      {
        startAt: at('2026-11-23T08:00:00'),
        endAt: at('2026-11-23T10:00:00'),
        processors: 4,
        reason: 'reservation R12.pbs of bob',
      },
    ]);
    expect(windowsOf(parseReservations(''), 18)).toEqual([]);
  });

  test('without nodes or processors count as all, without times not at all', () => {
    const [start, end] = ['reserve_start = Mon Nov 23 08:00:00 2026', 'reserve_end = Mon Nov 23 10:00:00 2026'];
    const read = (...lines: string[]) => windowsOf(parseReservations(['Name: R1', ...lines].join('\n')), 18);
    expect(read(start, end)).toMatchObject([{ processors: null }]);
    expect(read(start, end, 'Resource_List.ncpus = 2')).toMatchObject([{ processors: 2 }]);
    expect(read(start)).toEqual([]);
  });
});
