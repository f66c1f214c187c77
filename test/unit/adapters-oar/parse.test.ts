import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ListedJobs } from '../../../adapters/oar/listed-jobs.ts';
import {
  asRunning,
  asWindow,
  nativeJobOf,
  outcomeOf,
  phaseOf,
  recordOf,
  UNTOLD_STATUS,
  withPlan,
} from '../../../adapters/oar/native-jobs.ts';
import { formatWalltime, type OarJob, parseJobs, parseResources, parseRows } from '../../../adapters/oar/parse.ts';
import { scriptCommand } from '../../../adapters/oar/script-command.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/oar/${name}`, import.meta.url), 'utf8');
}

function jobOf(number: number): OarJob {
  return parseJobs(fixture(`job-${number}.json`))[0] as OarJob;
}

describe('oarstat -J', () => {
  test('waiting and running jobs, in the order of their numbers', () => {
    const jobs = parseJobs(fixture('oarstat-J.json'));
    expect(jobs.map((job) => `${job.nativeId} ${phaseOf(job)}`)).toEqual(['1 RUNNING', '2 WAITING']);
    expect(jobs[1]).toMatchObject({
      name: null,
      user: 'bob',
      processors: 4,
      requestedWalltimeSeconds: 120,
      startAt: null,
    });
  });

  test('of a job that holds resources without OAR saying since when no start is claimed', () => {
    const [running] = parseJobs(fixture('oarstat-J.json'));
    const untold = { ...(running as OarJob), startAt: null };
    expect(phaseOf(untold)).toBe('RUNNING');
    expect(nativeJobOf(untold)).toBeNull();
    expect(asRunning(untold)).toEqual([]);
    expect(asRunning(running as OarJob)[0]).not.toHaveProperty('reason');
    expect(asRunning({ ...(running as OarJob), state: 'Suspended' })).toMatchObject([{ reason: 'Suspended' }]);
  });

  test('a job that waits has what its scheduler says of it and when it means to start it; a held one has neither', () => {
    const described = parseJobs(fixture('oarstat-waiting.json'));
    const byId = new Map(described.map((job) => [job.nativeId, job]));
    const shown = described.filter((job) => phaseOf(job) === 'WAITING').map((job) => withPlan(job, byId));
    expect(shown.map(({ nativeId, reason, estimatedStartAt }) => [nativeId, reason, estimatedStartAt])).toEqual([
      ['2', 'Karma=0.000,quota_ok', 1795343153],
      ['3', 'Karma=0.000,quota_ok', 1795343755],
      ['4', 'Hold', null],
      ['5', null, 1798797600],
    ]);
    expect(withPlan({ ...(described[1] as OarJob), schedulerSays: null, scheduledAt: null }, byId)).toEqual(shown[0]);
  });

  test('no output is no job, and half an answer is no answer', () => {
    expect(parseJobs('')).toEqual([]);
    expect(parseJobs('\n')).toEqual([]);
    const whole = fixture('oarstat-J.json');
    expect(() => parseJobs(whole.slice(0, whole.length / 2))).toThrow();
    expect(() => parseJobs('{"1": {"state": "Running"}}')).toThrow();
  });

  test('exit 3 is shown as 768', () => {
    expect(nativeJobOf(jobOf(3))).toEqual({
      nativeId: '3',
      submittedAt: 1795199597,
      state: 'ENDED',
      startAt: 1795199599,
      endAt: 1795199603,
      outcome: 'FAILED',
      exitCode: 3,
    });
  });

  test('what outlived its walltime and what was cancelled are both in error: the events tell them apart', () => {
    expect([jobOf(4), jobOf(5)].map(({ state }) => state)).toEqual(['Error', 'Error']);
    expect(nativeJobOf(jobOf(4))).toMatchObject({ outcome: 'TIMEOUT', exitCode: null });
    expect(nativeJobOf(jobOf(5))).toMatchObject({ outcome: 'CANCELLED', exitCode: null });
  });

  test('a job that killed its whole process group has not completed, though OAR knows no status of it', () => {
    expect(jobOf(15)).toMatchObject({ state: 'Terminated', waitStatus: null, hasScript: true });
    expect(nativeJobOf(jobOf(15))).toMatchObject({ outcome: 'FAILED', exitCode: null, note: UNTOLD_STATUS });
    expect(recordOf(jobOf(15))).toMatchObject({ outcome: 'FAILED' });
  });

  test('what only holds resources has no status either, and completes', () => {
    const [id, job] = Object.entries(JSON.parse(fixture('job-15.json')) as Record<string, object>)[0] ?? ['', {}];
    for (const kind of [{ types: ['noop'] }, { jobType: 'INTERACTIVE' }]) {
      const [read] = parseJobs(JSON.stringify({ [id]: { ...job, ...kind } }));
      expect(outcomeOf(read as OarJob)).toBe('COMPLETED');
      expect(nativeJobOf(read as OarJob)).not.toHaveProperty('note');
    }
  });

  test('a held job waits, and its request is known', () => {
    expect(nativeJobOf(jobOf(6))).toMatchObject({ state: 'WAITING', startAt: null });
    expect(recordOf(jobOf(6))).toMatchObject({
      requestedWalltimeSeconds: 7200,
      startAt: null,
      endAt: null,
      outcome: null,
    });
  });

  test('name, folder and project are told, OAR has no use; its own project is none, and the key in our name no program', () => {
    const job = jobOf(3);
    const program = { name: 'fail3', script: null, arguments: [], workFolder: '/home/alice' };
    expect(recordOf(job)).toMatchObject({ program });
    for (const untold of ['account', 'group', 'use']) expect(recordOf(job)).not.toHaveProperty(untold);
    expect(recordOf({ ...job, project: 'climate' })).toMatchObject({ account: 'climate' });
    expect(recordOf({ ...job, name: 'gridcast.gc-1' })).not.toHaveProperty('program');
    expect(recordOf({ ...job, name: null })).toMatchObject({ program: { name: null, workFolder: '/home/alice' } });
  });

  test('a request of several groups and levels is their product and sum', () => {
    const [id, job] = Object.entries(JSON.parse(fixture('job-6.json')) as Record<string, object>)[0] ?? ['', {}];
    const wanted = `-l "{type = 'default'}/network_address=2/core=4+{gpu='YES'}/host=1,walltime=1:30:5" -l "/core=1,walltime=1:0:0" `;
    const [read] = parseJobs(JSON.stringify({ [id]: { ...job, wanted_resources: wanted } }));
    expect(read).toMatchObject({ processors: 9, requestedWalltimeSeconds: 5405 });
  });
});

describe('the short listing', () => {
  test('is the jobs and the letters of their states', () => {
    expect(parseRows(fixture('oarstat.txt'))).toEqual([
      { nativeId: '1', letter: 'R' },
      { nativeId: '2', letter: 'W' },
    ]);
    expect(parseRows('')).toEqual([]);
    expect(() => parseRows('command not found\n')).toThrow();
    expect(() => parseRows(`${fixture('oarstat.txt')}and more\n`)).toThrow();
  });

  test('is completed by asking for what is new, has changed or is changing, and for nothing else', async () => {
    const asked: string[][] = [];
    const listed = new ListedJobs(async (numbers) => {
      asked.push([...numbers]);
      return numbers.filter((number) => number !== '9').map((nativeId) => ({ ...jobOf(3), nativeId }));
    });
    const see = async (states: Record<string, string>) => {
      const rows = Object.entries(states).map(([nativeId, letter]) => ({ nativeId, letter }));
      return (await listed.complete(rows)).map(({ nativeId }) => nativeId);
    };
    expect(await see({ 1: 'R', 2: 'W', 3: 'L' })).toEqual(['1', '2', '3']);
    expect(await see({ 1: 'R', 2: 'R', 3: 'L', 4: 'H' })).toEqual(['1', '2', '3', '4']);
    expect(await see({ 1: 'R', 4: 'H', 9: 'W' })).toEqual(['1', '4']);
    expect(await see({ 4: 'W' })).toEqual(['4']);
    expect(asked).toEqual([['1', '2', '3'], ['2', '3', '4'], ['9'], ['4']]);
  });
});

describe('how a job ended', () => {
  const ended: OarJob = { ...jobOf(3), state: 'Error', waitStatus: null };
  const events = (...types: string[]) => types.map((type, index) => ({ type, at: 100 + index }));
  test.each<[string, number | null, string[], string]>([
    ['Terminated', 0, [], 'COMPLETED'],
    ['Terminated', 256, [], 'FAILED'],
    ['Terminated', 9, [], 'FAILED'],
    ['Terminated', null, ['SWITCH_INTO_TERMINATE_STATE'], 'FAILED'],
    ['Terminated', null, ['FRAG_JOB_REQUEST', 'SEND_KILL_JOB'], 'CANCELLED'],
    ['Terminated', 9, ['FRAG_JOB_REQUEST', 'SEND_KILL_JOB'], 'CANCELLED'],
    ['Terminated', 256, ['FRAG_JOB_REQUEST'], 'FAILED'],
    ['Error', null, ['FRAG_JOB_REQUEST', 'WALLTIME', 'SEND_KILL_JOB'], 'TIMEOUT'],
    ['Error', null, ['FRAG_JOB_REQUEST', 'BESTEFFORT_KILL'], 'PREEMPTED'],
    ['Error', null, ['FRAG_JOB_REQUEST', 'SWITCH_INTO_ERROR_STATE'], 'CANCELLED'],
    ['Error', null, ['PING_CHECKER_NODE_SUSPECTED'], 'NODE_FAIL'],
    ['Error', null, ['SWITCH_INTO_ERROR_STATE'], 'FAILED'],
    ['Error', null, [], 'FAILED'],
  ])('%s, status %s, %j: %s', (state, waitStatus, types, outcome) => {
    expect(outcomeOf({ ...ended, state, waitStatus, events: events(...types) })).toBe(outcome);
  });

  test('a job that never started ended when the last thing happened to it', () => {
    const job = { ...ended, startAt: null, stopAt: null, submitAt: 50, events: events('A', 'FRAG_JOB_REQUEST') };
    expect(nativeJobOf(job)).toMatchObject({ startAt: null, endAt: 101, outcome: 'CANCELLED' });
  });

  test.each([
    ['Waiting', 'WAITING'],
    ['Hold', 'WAITING'],
    ['toLaunch', 'WAITING'],
    ['toAckReservation', 'WAITING'],
    ['Launching', 'RUNNING'],
    ['Running', 'RUNNING'],
    ['Suspended', 'RUNNING'],
    ['Resuming', 'RUNNING'],
    ['Finishing', 'RUNNING'],
    ['toError', 'RUNNING'],
    ['Terminated', 'ENDED'],
    ['Error', 'ENDED'],
  ])('%s is %s', (state, phase) => expect(phaseOf({ ...ended, state })).toBe(phase));
});

describe('oarnodes -J', () => {
  test('a resource without jobs on a node that lives is free', () => {
    const resources = parseResources(fixture('oarnodes-J.json'), null);
    expect(resources.length).toBe(4);
    expect(resources.filter(({ isFree }) => isFree).length).toBe(2);
    const down = fixture('oarnodes-J.json').replaceAll('"Alive"', '"Suspected"');
    expect(parseResources(down, null).some(({ isInService }) => isInService)).toBe(false);
  });

  const NOW = 1_795_000_000;
  const one = { type: 'default', state: 'Alive', drain: 'NO', available_upto: 2_147_483_647 };
  const read = (change: object, wokenAt: number | null = null) =>
    parseResources(JSON.stringify({ 1: { ...one, ...change } }), wokenAt)[0];

  test.each([
    ['alive', {}, { isInService: true, isFree: true }],
    ['alive with a job', { jobs: '7' }, { isInService: true, isFree: false }],
    ['drained', { drain: 'YES' }, { isInService: false, isFree: false }],
    ['drained with a job', { drain: 'YES', jobs: '7' }, { isInService: true, isFree: false }],
    ['absent', { state: 'Absent' }, { isInService: false, isFree: false }],
    ['suspected', { state: 'Suspected' }, { isInService: false, isFree: false }],
    ['dead, which OAR does not count', { state: 'Dead' }, undefined],
    ['of another type', { type: 'licence' }, undefined],
  ])('a resource that is %s', (_, change, expected) => expect(read(change)).toEqual(expected));

  test('an absent node is asleep only where OAR wakes nodes, and not in maintenance', () => {
    const absent = { state: 'Absent' };
    expect(read(absent, NOW)).toEqual({ isInService: true, isFree: true });
    expect(read({ ...absent, available_upto: 0 }, NOW)).toEqual({ isInService: false, isFree: false });
    expect(read({ ...absent, available_upto: NOW - 1 }, NOW)).toEqual({ isInService: false, isFree: false });
  });
});

describe('reservations', () => {
  const reservations = parseJobs(fixture('reservations.json'));

  test('are windows of the resources that OAR has set aside', () => {
    const [startAt, reason] = [1_795_345_375, 'reservation maint of bob'];
    expect(reservations.map(({ isReservation }) => isReservation)).toEqual([true, true]);
    expect(reservations.flatMap((job) => asWindow(job, 12))).toEqual([
      { startAt, endAt: startAt + 3600, processors: 4, reason },
      { startAt, endAt: startAt + 7200, processors: 8, reason: 'reservation maintall of bob' },
    ]);
    expect(reservations.flatMap((job) => asWindow(job, 8)).map(({ processors }) => processors)).toEqual([4, null]);
    expect(asWindow({ ...(reservations[0] as OarJob), startAt: null }, 8)).toEqual([]);
  });

  test('that have not begun are no part of the queue, whose jobs wait for their turn', () => {
    expect(parseJobs(fixture('oarstat-J.json')).some(({ isReservation }) => isReservation)).toBe(false);
  });
});

describe('the walltime', () => {
  test('is read back as it was written, and is never less than asked for', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1e7, noNaN: true }), (seconds) => {
        const [hours = 0, minutes = 0, rest = 0] = formatWalltime(seconds).split(':').map(Number);
        const read = hours * 3600 + minutes * 60 + rest;
        expect(read).toBe(Math.ceil(seconds));
        expect(minutes).toBeLessThan(60);
        expect(rest).toBeLessThan(60);
      }),
    );
  });
});

describe('the command of a job', () => {
  const spec = { name: 'x', script: '', arguments: [], processors: 1, walltimeSeconds: 60, queue: null };

  test('holds nothing of the caller but base64', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), (script, words) => {
        const command = scriptCommand({ ...spec, script, arguments: words });
        expect(command).toMatch(
          /^exec \/bin\/sh -c 'eval "\$\(printf %s [A-Za-z0-9+/=]+ \| base64 -d \| gzip -dc\)"'$/,
        );
      }),
    );
  });

  test('runs the script with its arguments, byte for byte, under any login shell', () => {
    const words = ["it's", '$(false)', '', 'two\nlines', '-x', 'Übermaß 日本語', '\\'];
    const script = '#!/usr/bin/env -S sh -u\nprintf "%s\\0" "$@"\nexit 3';
    const command = scriptCommand({ ...spec, script, arguments: words });
    for (const shell of ['sh', 'bash']) {
      try {
        execFileSync(shell, ['-c', command], { encoding: 'utf8' });
        expect.unreachable();
      } catch (error) {
        const { status, stdout } = error as { status: number; stdout: string };
        expect(stdout).toBe(words.map((word) => `${word}\0`).join(''));
        expect(status).toBe(3);
      }
    }
  });

  test('that is too long for a command line is refused with a remedy', () => {
    const noise = Array.from({ length: 40_000 }, (_, index) =>
      ((index * 2_654_435_761) % 4_294_967_296).toString(36),
    ).join('');
    expect(() => scriptCommand({ ...spec, script: noise })).toThrow(/at most 122880 fit: put data into a file/);
  });
});
