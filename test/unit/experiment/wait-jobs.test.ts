import { expect, test } from 'vitest';
import type { JobOutcome, JobRecord } from '../../../src/domain/job.ts';
import { PAPER_TEST_SET, pickWaitJobs } from '../../../src/experiment/wait/wait-jobs.ts';

const OUTCOMES: readonly (JobOutcome | null)[] = ['COMPLETED', 'CANCELLED', 'COMPLETED', null, 'FAILED', 'COMPLETED'];
const LOG = OUTCOMES.map(
  (outcome, job): JobRecord => ({
    nativeId: String(job),
    user: 'ann',
    queue: null,
    processors: 1,
    requestedWalltimeSeconds: 60,
    submitAt: 100 * job,
    startAt: 100 * job + 5,
    endAt: 100 * job + 9,
    outcome,
  }),
);

test('a range counts from 0 and includes both ends', () => {
  const { records, isScored, first, last } = pickWaitJobs(LOG, '1-3', 'scored');
  expect(records).toEqual(LOG);
  expect([...isScored]).toEqual([0, 1, 1, 1, 0, 0]);
  expect({ first, last }).toEqual({ first: 1, last: 3 });
});

test('jobs that did not complete can teach without being numbered, or be left out', () => {
  const seen = pickWaitJobs(LOG, '1-2', 'seen');
  expect(seen.records).toHaveLength(6);
  expect([...seen.isScored]).toEqual([0, 0, 1, 1, 0, 0]);
  const removed = pickWaitJobs(LOG, '1-2', 'removed');
  expect(removed.records.map(({ nativeId }) => nativeId)).toEqual(['0', '2', '3', '5']);
  expect([...removed.isScored]).toEqual([0, 1, 1, 0]);
});

test('every so manieth job of a range is scored, all are replayed', () => {
  const { records, isScored } = pickWaitJobs(LOG, '0-5', 'scored', 2);
  expect(records).toHaveLength(6);
  expect([...isScored]).toEqual([1, 0, 1, 0, 1, 0]);
});

test('a range ends with the log; the test set of the paper becomes the last two thirds of a short log', () => {
  expect(pickWaitJobs(LOG, '4-900', 'scored')).toMatchObject({ first: 4, last: 5 });
  expect(pickWaitJobs(LOG, PAPER_TEST_SET, 'scored')).toMatchObject({ first: 2, last: 5 });
});

test('a range that is none, or beyond the log, is refused', () => {
  for (const text of ['', '7', '5-2', 'a-b']) expect(() => pickWaitJobs(LOG, text, 'scored')).toThrow(/FIRST-LAST/);
  expect(() => pickWaitJobs(LOG, '6-9', 'scored')).toThrow(/scored is 6-9, but the log has jobs 0 to 5 only/);
  expect(() => pickWaitJobs(LOG, '4-9', 'removed')).toThrow(/jobs 0 to 3 only/);
});
