import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSeconds } from '../../../adapters/gridengine/duration.ts';
import { asRunning, withReason } from '../../../adapters/gridengine/native-jobs.ts';
import { parseDetails, parseHosts, parseListing } from '../../../adapters/gridengine/parse.ts';
import type { DatedJob } from '../../../adapters/gridengine/submission-times.ts';
import { taskNumbers } from '../../../adapters/gridengine/tasks.ts';
import { keyOfJobName } from '../../../adapters/shared/job-name.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/gridengine/${name}`, import.meta.url), 'utf8');
}

describe('qstat -xml', () => {
  const jobs = parseListing(fixture('qstat-states.xml'));
  const jobOf = (nativeId: string) => jobs.find((job) => job.nativeId === nativeId);

  test('a running job has its start, queue, slots and limit, but no submission', () => {
    expect(jobOf('1029')).toEqual({
      nativeId: '1029',
      name: 'gridcast.gc-11111111111111111111111111111111-1',
      user: 'alice',
      phase: 'RUNNING',
      queue: 'batch.q',
      processors: 4,
      requestedWalltimeSeconds: 3600,
      submitAt: null,
      startAt: Date.parse('2026-11-21T18:57:55Z') / 1000,
      state: 'r',
      priority: 0.46443,
    });
    expect(keyOfJobName(jobOf('1029')?.name ?? null)).toBe('gc-11111111111111111111111111111111-1');
  });

  test('held, in error and put back wait; suspended and running hold slots', () => {
    const phases = { 1030: 'WAITING', 1031: 'WAITING', 1032: 'WAITING', 1033: 'RUNNING', 1034: 'RUNNING' };
    for (const [nativeId, phase] of Object.entries(phases)) expect(jobOf(nativeId)?.phase).toBe(phase);
  });

  test('a job that asked for one queue waits there, and its limit may be written in hours', () => {
    expect(jobOf('1030')).toMatchObject({ queue: 'short.q', requestedWalltimeSeconds: 600, startAt: null });
  });

  test('a job that was put back does not tell when it was submitted: the listing shows another moment', () => {
    expect(jobOf('1032')?.submitAt).toBeNull();
    expect(jobOf('1031')?.submitAt).toBe(Date.parse('2026-11-21T18:57:54Z') / 1000);
  });

  test('tasks of an array are jobs of their own', () => {
    const tasks = jobs.filter(({ nativeId }) => nativeId.startsWith('1035.'));
    expect(tasks.map(({ nativeId, phase }) => `${nativeId} ${phase}`)).toEqual([
      '1035.1 RUNNING',
      '1035.3 WAITING',
      '1035.5 WAITING',
      '1035.7 WAITING',
      '1035.9 WAITING',
    ]);
    expect(tasks.every(({ processors }) => processors === 8)).toBe(true);
  });

  test('the listing with all its options reads the same', () => {
    expect(parseListing(fixture('qstat-lab.xml')).map(({ nativeId }) => nativeId)).toEqual([
      '1',
      '8',
      '6',
      '7',
      '9.1',
      '9.2',
      '9.3',
      '3',
      '4',
      '5',
    ]);
  });

  test('an empty queue is no job, and half an answer is no answer', () => {
    const empty = `<?xml version='1.0'?>\n<job_info>\n  <queue_info>\n  </queue_info>\n  <job_info>\n  </job_info>\n</job_info>\n`;
    expect(parseListing(empty)).toEqual([]);
    const whole = fixture('qstat-states.xml');
    for (const length of [0, 1, 100, 2000, whole.length - 20]) {
      expect(() => parseListing(whole.slice(0, length))).toThrow(/no whole <job_info> document/);
    }
  });
});

describe('qstat -j -xml', () => {
  test('tells the submission of the jobs it knows, and nothing of the others', () => {
    expect([...parseDetails(fixture('qstat-j.xml'))]).toEqual([
      ['1032', { name: 'rer', submitAt: 1795287482, schedulerSays: null }],
      ['1034', { name: 'susp', submitAt: 1795287474, schedulerSays: null }],
    ]);
  });

  test('the words of the scheduler go to the jobs they are about', () => {
    const told = parseDetails(fixture('qstat-j-told.xml'));
    expect(told.get('2')?.schedulerSays).toBe('cannot run in PE "smp" because it only offers 0 slots');
    expect(told.get('3')?.schedulerSays).toBe('Job is in hold state');
    expect(told.get('4')?.schedulerSays).toBe('cannot run in PE "smp" because it only offers 0 slots');
  });

  test('what keeps a job out of queues that it did not ask for is no reason', () => {
    const elsewhere = 'cannot run in queue &quot;short.q&quot; because it is not contained in its hard queue list (-q)';
    const told = fixture('qstat-j-told.xml').replace('Job is in hold state', elsewhere);
    expect(parseDetails(told).get('3')?.schedulerSays).toBeNull();
  });

  test('a cell that collects no such words says nothing of its jobs, and its letters tell of holds and errors alone', () => {
    const untold = parseDetails(fixture('qstat-j-untold.xml'));
    expect([...untold.values()].map(({ schedulerSays }) => schedulerSays)).toEqual([null, null, null]);
    const waiting = { nativeId: '2', submitAt: 0, state: 'qw' } as DatedJob;
    expect(withReason(waiting, untold).reason).toBeNull();
    expect(withReason({ ...waiting, state: 'hqw' }, untold).reason).toBe('hqw');
    expect(withReason({ ...waiting, state: 'Eqw' }, untold).reason).toBe('Eqw');
    expect(withReason({ ...waiting, state: 'hqw' }, parseDetails(fixture('qstat-j-told.xml'))).reason).toMatch(
      /PE "smp"/,
    );
  });

  test.each([
    ['r', undefined],
    ['hr', undefined],
    ['s', 's'],
    ['S', 'S'],
    ['dT', 'dT'],
  ])('a running job in the state %s has the reason %s', (state, reason) => {
    const [shown] = asRunning({ nativeId: '2', submitAt: 0, startAt: 1, name: '', state } as DatedJob);
    expect(shown?.reason).toBe(reason);
  });

  test('no job at all is an answer', () => {
    expect(parseDetails(fixture('qstat-j-unknown.xml')).size).toBe(0);
  });
});

describe('qhost -xml', () => {
  test('queue instances with their slots and states, and what the host has left', () => {
    const { instances, slotsLeft } = parseHosts(fixture('qhost-disabled.xml'));
    expect(instances).toMatchObject([
      { queue: 'batch.q', host: 'gedev', types: 'BIP', slots: 16, usedSlots: 16, reservedSlots: 0, state: '' },
      { queue: 'short.q', host: 'gedev', types: 'BIP', slots: 6, usedSlots: 0, reservedSlots: 0, state: 'd' },
    ]);
    expect(slotsLeft.get('gedev')).toBe(0);
  });
});

describe('small formats', () => {
  test.each([
    ['300', 300],
    ['0:5:0', 300],
    ['24:00:00', 86_400],
    [':5:', 300],
    ['1.5', 1.5],
    ['INFINITY', null],
    ['', null],
    ['1:2:3:4', null],
    ['x', null],
  ])('the time %j', (text, seconds) => expect(parseSeconds(text)).toBe(seconds));

  test('a time written as hours, minutes and seconds is that many seconds', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(59), fc.nat(59), (hours, minutes, seconds) => {
        expect(parseSeconds(`${hours}:${minutes}:${seconds}`)).toBe(hours * 3600 + minutes * 60 + seconds);
      }),
    );
  });

  test.each([
    ['1', [1]],
    ['15-18:1', [15, 16, 17, 18]],
    ['1,3-9:3,12', [1, 3, 6, 9, 12]],
    ['', []],
    ['undefined', []],
    ['1-3:0', [1, 2, 3]],
  ])('the tasks %j', (list, numbers) => expect(taskNumbers(list)).toEqual(numbers));

  test('of a million tasks a thousand are enough', () => {
    expect(taskNumbers('1-1000000:1').length).toBe(1000);
  });
});
