import { expect, test } from 'vitest';
import { type JobOnTheWay, type Snapshot, withJobsOnTheWay } from '../../../src/domain/snapshot.ts';

const shown = {
  nativeId: '7',
  key: 'gc-1-1',
  user: 'us',
  queue: 'batch',
  processors: 4,
  requestedWalltimeSeconds: 60,
  submitAt: 900,
};
const snapshot: Snapshot = { observedAt: 1000, processors: 8, freeProcessors: 4, waiting: [shown], running: [] };

function onTheWay(executionId: string, key: string | null): JobOnTheWay {
  return { executionId, key, queue: 'batch', processors: 2, requestedWalltimeSeconds: 60, submitAt: 1001 };
}

test('jobs on their way wait last in the queue, those that the site shows already are not counted twice', () => {
  const state = withJobsOnTheWay(snapshot, [onTheWay('1', 'gc-1-1'), onTheWay('2', 'gc-2-1'), onTheWay('3', null)]);
  expect(state.waiting.map(({ nativeId }) => nativeId)).toEqual(['7', '2', '3']);
  const running = { ...snapshot, waiting: [], running: [{ ...shown, startAt: 950 }] };
  expect(withJobsOnTheWay(running, [onTheWay('1', 'gc-1-1')])).toBe(running);
  expect(withJobsOnTheWay(snapshot, [])).toBe(snapshot);
});
