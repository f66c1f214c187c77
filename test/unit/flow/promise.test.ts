import { describe, expect, test } from 'vitest';
import { decidePromise } from '../../../src/flow/steps/promise.ts';

const START = 1000;
const hold = { startAt: START };
const queued = { state: 'QUEUED', startedAt: null, endedAt: null, outcome: null } as const;
const running = (startedAt: number) => ({ state: 'RUNNING', startedAt, endedAt: null, outcome: null }) as const;

describe('a promise is', () => {
  test('kept when the job started in time and still runs at its moment', () => {
    expect(decidePromise(running(900), hold, 1010, 1010)).toBe('KEPT');
    expect(decidePromise(running(START), hold, 1010, 1010)).toBe('KEPT');
  });

  test('not decided before its moment, however well it looks', () => {
    expect(decidePromise(running(900), hold, 990, 990)).toBe('UNDECIDED');
  });

  test('missed when the job started late', () => {
    expect(decidePromise(running(1001), hold, 1010, 1010)).toBe('MISSED');
  });

  test('missed when the job had ended before its moment', () => {
    const ended = { state: 'ENDED', startedAt: 900, endedAt: 950, outcome: 'FAILED' } as const;
    expect(decidePromise(ended, hold, 960, 960)).toBe('MISSED');
  });

  test('not decided by silence: only an observation after its moment shows that the job still waits', () => {
    expect(decidePromise(queued, hold, 990, 1010)).toBe('UNDECIDED');
    expect(decidePromise(queued, hold, null, 5000)).toBe('UNDECIDED');
    expect(decidePromise(queued, hold, 1001, 1010)).toBe('MISSED');
  });

  test('not decided by an early start, in no mode: a job that begins its work at once may be over by then', () => {
    const over = { state: 'ENDED', startedAt: 500, endedAt: 700, outcome: 'COMPLETED' } as const;
    expect(decidePromise(running(500), { startAt: START }, 720, 720)).toBe('UNDECIDED');
    expect(decidePromise(over, { startAt: START }, 720, 720)).toBe('MISSED');
  });
});
