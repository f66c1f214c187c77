import { expect, test } from 'vitest';
import { judge, type SiteJob, type ToldTask } from '../../lab/arrays/judge.ts';

const job = (key: string, from: number, to: number | null, outcome: string | null = 'COMPLETED'): SiteJob => {
  return { site: 'alpha', key, submittedAt: from, endedAt: to, outcome };
};
const task = (...keys: string[]): ToldTask => ({ outcome: 'COMPLETED', keys });

test('tasks whose only jobs completed one after another are neither lost nor doubled', () => {
  const retried = [job('b-1', 0, 5, 'NODE_FAIL'), job('b-2', 5, 9)];
  expect(judge([task('a-1'), task('b-1', 'b-2')], [job('a-1', 0, 5), ...retried])).toEqual({
    ...{ lost: 0, doubled: 0, unknown: 0 },
    mostAtOnce: { alpha: 2 },
  });
});

test('a task is lost without a job that completed, whatever the service says, or when the service says so', () => {
  expect(judge([task('a-1')], []).lost).toBe(1);
  expect(judge([task('a-1')], [job('a-1', 0, 5, 'FAILED')]).lost).toBe(1);
  expect(judge([{ outcome: 'LOST', keys: ['a-1'] }], [job('a-1', 0, 5)]).lost).toBe(1);
});

test('a task is doubled by two jobs of one key, by jobs at the same time, and by two that completed', () => {
  expect(judge([task('a-1')], [job('a-1', 0, 5), job('a-1', 6, 9, 'CANCELLED')]).doubled).toBe(1);
  expect(judge([task('a-1', 'a-2')], [job('a-1', 0, 5), job('a-2', 6, 9)]).doubled).toBe(1);
  expect(judge([task('a-1', 'a-2')], [job('a-1', 0, 5, 'CANCELLED'), job('a-2', 4, 9)]).doubled).toBe(1);
  expect(judge([task('a-1', 'a-2')], [job('a-1', 0, null, null), job('a-2', 4, 9)]).doubled).toBe(1);
});

test('jobs that no task tells of are counted, and what is at a site at once by its moments', () => {
  const jobs = [job('a-1', 0, 5), job('b-1', 5, 9), job('c-1', 8, null, null)];
  expect(judge([task('a-1'), task('b-1')], jobs)).toMatchObject({ unknown: 1, mostAtOnce: { alpha: 2 } });
});
