import { expect, test } from 'vitest';
import { waitSeconds } from '../../../src/domain/job.ts';

const request = { user: null, queue: null, processors: 1, requestedWalltimeSeconds: null };

test('no job waits for less than nothing, whatever fractions the clocks say', () => {
  const record = { ...request, nativeId: '1', submitAt: 100.7, startAt: 100, endAt: null, outcome: null };
  expect(waitSeconds(record)).toBe(0);
  expect(waitSeconds({ ...record, startAt: 160.7 })).toBeCloseTo(60, 9);
});
