import { expect, test } from 'vitest';
import type { Predecessor } from '../../../src/domain/dependency.ts';
import { EXECUTION_OUTCOMES } from '../../../src/domain/execution.ts';
import { gapSeconds, isMet, whatPredecessorsMean } from '../../../src/plan/job/predecessors.ts';

const running: Predecessor = {
  name: 'prepare',
  state: 'RUNNING',
  outcome: null,
  endedAt: null,
  condition: 'ANY_END',
  areOutputsMoving: false,
  lostOutput: null,
};
const ended: Predecessor = { ...running, state: 'ENDED', outcome: 'COMPLETED', endedAt: 1000 };

test('a job goes on when the last of those that it comes after has ended', () => {
  expect(whatPredecessorsMean([ended, { ...ended, endedAt: 1200 }, { ...ended, endedAt: 900 }])).toEqual({
    kind: 'GO',
    readyAt: 1200,
  });
});

test('it waits for those that have not ended and names some of them', () => {
  const more = ['a', 'b', 'c', 'd'].map((name) => ({ ...running, name, condition: 'SUCCESS' as const }));
  expect(whatPredecessorsMean([ended, running])).toEqual({ kind: 'WAIT', reason: 'it waits for the end of "prepare"' });
  expect(whatPredecessorsMean(more)).toMatchObject({
    reason: 'it waits for the success of "a" and the success of "b" and the success of "c" and 1 more',
  });
});

test('after any end every known end is met, after a success only a completion', () => {
  for (const outcome of EXECUTION_OUTCOMES) {
    expect(isMet({ ...ended, outcome })).toBe(true);
    const strict = { ...ended, outcome, condition: 'SUCCESS' as const };
    expect(isMet(strict)).toBe(outcome === 'COMPLETED');
    const means = whatPredecessorsMean([strict, running]);
    if (outcome === 'COMPLETED') expect(means.kind).toBe('WAIT');
    else expect(means).toMatchObject({ kind: 'NEVER', reason: expect.stringMatching(/^its predecessor "prepare" /) });
  }
});

test('its outputs are part of a job: they are waited for, and after a success none is lost', () => {
  const moving = { ...ended, areOutputsMoving: true };
  expect(isMet(moving)).toBe(false);
  expect(whatPredecessorsMean([moving])).toEqual({ kind: 'WAIT', reason: 'it waits for the outputs of "prepare"' });
  const lost = { ...ended, lostOutput: 'a/b' };
  expect(whatPredecessorsMean([lost])).toMatchObject({ kind: 'GO' });
  expect(whatPredecessorsMean([{ ...lost, condition: 'SUCCESS' }])).toEqual({
    kind: 'NEVER',
    reason: 'its predecessor "prepare" completed, but its output a/b could not be moved',
  });
});

test('nothing begins after a job that may run to this day', () => {
  const unknown = { ...ended, outcome: 'LOST' as const, endedAt: null };
  expect(isMet(unknown)).toBe(false);
  expect(whatPredecessorsMean([unknown])).toEqual({
    kind: 'NEVER',
    reason: 'its predecessor "prepare" was lost: nobody knows whether it has ended',
  });
});

test('the gap is counted from the last end, and there is none before the start or where nothing came before', () => {
  expect(gapSeconds(1300, [ended, { endedAt: 1250 }])).toBe(50);
  expect(gapSeconds(null, [ended])).toBeNull();
  expect(gapSeconds(1300, [])).toBeNull();
});
