import { expect, test } from 'vitest';
import { SweptBefore } from '../../../src/flow/sweeper.ts';

const overdue = (version: number) => {
  return { kind: 'EXECUTION', targetId: 'row', wakeAt: 100, requestId: null, version } as const;
};

test('a row that was woken again is not woken at every look, and is for good when it has had a turn since', () => {
  const swept = new SweptBefore();
  const wokenAt = [];
  for (let second = 0; second <= 100; second++) {
    if (swept.pick([overdue(1)], second * 1000).length > 0) wokenAt.push(second);
  }
  expect(wokenAt).toEqual([0, 2, 6, 14, 30, 60, 90]);
  expect(swept.pick([overdue(2)], 101_000)).toHaveLength(1);
  expect(swept.pick([], 102_000)).toEqual([]);
  expect(swept.pick([overdue(2)], 102_000)).toHaveLength(1);
});
