import { expect, test } from 'vitest';
import type { NativeJob } from '../../../../src/domain/site-adapter.ts';
import { earlierRunSeconds } from '../../../../src/plan/reservation/earlier-runs.ts';

const NOW = 2000;
const seen = { startedAt: 1000, earlierRunSeconds: 40 };
const never = { startedAt: null, earlierRunSeconds: 0 };
const waiting = (submittedAt: number): NativeJob => {
  return { nativeId: '1', submittedAt, state: 'WAITING', startAt: null, endAt: null, outcome: null };
};
const running = (submittedAt: number, startAt: number): NativeJob => {
  return { nativeId: '1', submittedAt, state: 'RUNNING', startAt, endAt: null, outcome: null };
};
const ended = (startAt: number | null, told?: number): NativeJob => ({
  ...{ nativeId: '1', submittedAt: 900, state: 'ENDED', startAt, endAt: 1900, outcome: 'COMPLETED', exitCode: 0 },
  ...(told === undefined ? {} : { earlierRunSeconds: told }),
});

test.each([
  ['the run that was seen goes on', seen, running(900, 1000), 40],
  ['the site has moved the start of that run a little', seen, running(900, 1005), 40],
  ['it waits again, put back at a known moment', seen, waiting(1100), 40 + 100],
  ['it waits again, put back nobody knows when', seen, waiting(900), 40 + 1000],
  ['it was put back and started again between two looks', seen, running(1100, 1200), 40 + 100],
  ['it had never run', never, waiting(900), 0],
  ['it has ended with the run that was seen', seen, ended(1000), 40],
  ['it has ended before it could run again', seen, ended(null), 40 + 900],
  ['accounting tells of earlier runs', seen, ended(1500, 130), 130],
  ['accounting tells of none, and one was seen', seen, ended(1000, 0), 40],
])('%s', (_what, before, job, expected) => {
  expect(earlierRunSeconds(before, job, NOW)).toBe(expected);
});
