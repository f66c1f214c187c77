import { describe, expect, test } from 'vitest';
import type { ExecutionState } from '../../../../src/domain/execution.ts';
import type { DeadlineFacts, PromisedFinish } from '../../../../src/plan/deadline/deadline-facts.ts';
import { finishKept } from '../../../../src/plan/deadline/kept.ts';
import {
  hasMissed,
  isInDanger,
  isWorthMoving,
  queuedFinishProbability,
  whatDeadlineIsDue,
  whatMissingMeans,
} from '../../../../src/plan/deadline/watch.ts';

const JOB: PromisedFinish = {
  state: 'QUEUED',
  outcome: null,
  endedAt: null,
  deadlineAt: 1000,
  promisedFinishProbability: 0.8,
  ifDeadlineMissed: 'CANCEL',
  deadlineMissedAt: null,
  finishMoves: 0,
  cancelRequestedAt: null,
  settledAt: null,
};
const RUN_LATE = { ...JOB, ifDeadlineMissed: 'RUN_LATE' } as const;

describe('what is due', () => {
  test.each<[ExecutionState, number, string | null]>([
    ['REQUESTED', 999, null],
    ['HELD', 999, null],
    ['REQUESTED', 1000, 'MISS_DEADLINE'],
    ['HELD', 1000, 'MISS_DEADLINE'],
    ['SUBMITTING', 2000, null],
    ['QUEUED', 10, 'WATCH_DEADLINE'],
    ['RUNNING', 2000, 'WATCH_DEADLINE'],
  ])('of a job that is %s at %d: %s', (state, now, due) => {
    expect(whatDeadlineIsDue({ ...JOB, state }, now)).toBe(due);
  });

  test('a job that runs late is left alone once that is told, one to be cancelled until that is asked', () => {
    const told = { deadlineMissedAt: 1000, state: 'RUNNING' } as const;
    expect(whatDeadlineIsDue({ ...RUN_LATE, ...told }, 2000)).toBeNull();
    expect(whatDeadlineIsDue({ ...RUN_LATE, state: 'HELD' }, 2000)).toBeNull();
    expect(whatDeadlineIsDue({ ...JOB, ...told }, 2000)).toBe('WATCH_DEADLINE');
    expect(whatDeadlineIsDue({ ...JOB, ...told, cancelRequestedAt: 1001 }, 2000)).toBeNull();
  });
});

describe('a passed deadline', () => {
  test('is missed when a look after it, or a long silence, has not shown the end', () => {
    const look = (observedAt: number | null) => ({ observedAt, silentSeconds: 300 });
    expect(hasMissed(JOB, look(999), 999)).toBe(false);
    expect(hasMissed(JOB, look(999), 1100)).toBe(false);
    expect(hasMissed(JOB, look(1001), 1100)).toBe(true);
    expect(hasMissed(JOB, look(null), 1299)).toBe(false);
    expect(hasMissed(JOB, look(null), 1300)).toBe(true);
  });

  test('ends the job or lets it run late, and is told once', () => {
    const ended = whatMissingMeans({ ...JOB, state: 'RUNNING' }, 1100);
    expect(ended).toMatchObject({
      next: 'AT_ONCE',
      execution: { deadlineMissedAt: 1000, reason: 'its deadline passed while it was running' },
      cancelBecause: 'its deadline passed while it was running',
    });
    const late = whatMissingMeans(RUN_LATE, 1100);
    expect(late).toMatchObject({ next: { at: null }, execution: { deadlineMissedAt: 1000 }, cancelBecause: null });
    expect(whatMissingMeans({ ...JOB, deadlineMissedAt: 1000 }, 1100).execution).toEqual({});
  });
});

describe('a promise in danger', () => {
  test('is moved for markedly more, a few times at most', () => {
    expect(isInDanger(JOB, 0.8)).toBe(false);
    expect(isInDanger(JOB, 0.79)).toBe(true);
    expect(isInDanger({ ...JOB, finishMoves: 3 }, 0)).toBe(false);
    expect(isWorthMoving({ current: 0.5, best: 0.55 })).toBe(false);
    expect(isWorthMoving({ current: 0.5, best: 0.65 })).toBe(true);
    expect(isWorthMoving({ current: 0, best: 0 })).toBe(false);
  });

  test('a job in a queue is at least as well off as one that comes behind it, unless nothing starts', () => {
    const facts = { fresh: 0.6, waited: 0.4, signs: [], isBarred: false };
    expect(queuedFinishProbability(facts)).toBe(0.6);
    expect(queuedFinishProbability({ ...facts, fresh: null })).toBe(0.4);
    expect(queuedFinishProbability({ ...facts, fresh: null, waited: null })).toBe(0);
    expect(queuedFinishProbability({ ...facts, signs: ['NO_STARTS'] })).toBe(0);
    expect(queuedFinishProbability({ ...facts, signs: ['UNREACHABLE'] })).toBe(0.6);
    expect(queuedFinishProbability({ ...facts, isBarred: true })).toBe(0);
  });
});

describe('whether a promise was kept', () => {
  const ended = (outcome: DeadlineFacts['outcome'], endedAt: number, rest: Partial<DeadlineFacts> = {}) =>
    finishKept({ ...JOB, state: 'ENDED', outcome, endedAt, ...rest });

  test.each([
    ['COMPLETED', 1000, true],
    ['COMPLETED', 1001, false],
    ['TIMEOUT', 500, false],
    ['NODE_FAIL', 500, false],
    ['REJECTED', 500, false],
    ['LOST', 500, false],
    ['FAILED', 500, null],
    ['FAILED', 1001, false],
    ['CANCELLED', 500, null],
  ] as const)('%s at %d: %s', (outcome, endedAt, kept) => {
    expect(ended(outcome, endedAt)).toBe(kept);
  });

  test('who cancels it before the deadline takes it out of the test, who ends it then does not', () => {
    expect(ended('CANCELLED', 1500, { cancelRequestedAt: 900 })).toBeNull();
    expect(ended('CANCELLED', 1000, { cancelRequestedAt: 1000 })).toBe(false);
    expect(ended('COMPLETED', 990, { cancelRequestedAt: 1000 })).toBe(true);
  });

  test('of a job that nothing was promised of there is nothing to tell', () => {
    expect(ended('COMPLETED', 900, { promisedFinishProbability: null })).toBeNull();
  });
});
