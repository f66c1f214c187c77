import { describe, expect, test } from 'vitest';
import { decidePromise, UNSEEN } from '../../../../src/plan/reservation/decide-promise.ts';

const START = 1000;
const hold = { startAt: START };
const queued = { state: 'QUEUED', startedAt: null, endedAt: null, outcome: null } as const;
const running = (startedAt: number) => ({ state: 'RUNNING', startedAt, endedAt: null, outcome: null }) as const;

const seenRunning = (runningAt: number) => ({ ...UNSEEN, runningAt });
const seenWaiting = (waitingAt: number) => ({ ...UNSEEN, waitingAt });

describe('a promise is', () => {
  test('kept when the job started in time and still runs at its moment', () => {
    expect(decidePromise(running(900), hold, seenRunning(1010), 1010)).toBe('KEPT');
    expect(decidePromise(running(START), hold, seenRunning(1010), 1010)).toBe('KEPT');
  });

  test('not decided before its moment, however well it looks', () => {
    expect(decidePromise(running(900), hold, seenRunning(990), 990)).toBe('UNDECIDED');
  });

  test('missed when the job started late', () => {
    expect(decidePromise(running(1001), hold, seenRunning(1010), 1010)).toBe('MISSED');
  });

  test('missed when the job had ended before its moment', () => {
    const ended = { state: 'ENDED', startedAt: 900, endedAt: 950, outcome: 'FAILED' } as const;
    expect(decidePromise(ended, hold, seenRunning(940), 960)).toBe('MISSED');
  });

  test('not decided by silence: only an observation after its moment shows that the job still waits', () => {
    expect(decidePromise(queued, hold, seenWaiting(990), 1010)).toBe('UNDECIDED');
    expect(decidePromise(queued, hold, UNSEEN, 5000)).toBe('UNDECIDED');
    expect(decidePromise(queued, hold, seenWaiting(1001), 1010)).toBe('MISSED');
  });

  test('not decided by a look before its moment: a job that ran then may be over', () => {
    expect(decidePromise(running(900), hold, seenRunning(995), 1010)).toBe('UNDECIDED');
    const endedInBetween = { state: 'ENDED', startedAt: 900, endedAt: 998, outcome: 'COMPLETED' } as const;
    expect(decidePromise(endedInBetween, hold, seenRunning(995), 1020)).toBe('MISSED');
    const endedAfter = { ...endedInBetween, endedAt: 1002 };
    expect(decidePromise(endedAfter, hold, seenRunning(995), 1020)).toBe('KEPT');
  });

  test('not decided by an early start, in no mode: a job that begins its work at once may be over by then', () => {
    const over = { state: 'ENDED', startedAt: 500, endedAt: 700, outcome: 'COMPLETED' } as const;
    expect(decidePromise(running(500), { startAt: START }, seenRunning(720), 720)).toBe('UNDECIDED');
    expect(decidePromise(over, { startAt: START }, seenRunning(690), 720)).toBe('MISSED');
  });
});
