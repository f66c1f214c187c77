import { describe, expect, test } from 'vitest';
import { flatRule, type LegMissPolicy } from '../../../../src/domain/co-allocation.ts';
import { CANCELLED_BY_CALLER } from '../../../../src/domain/execution.ts';
import type { ReservationState } from '../../../../src/domain/reservation.ts';
import {
  type GroupLegFacts,
  whatCancellingGroupMeans,
  whatLegsMean,
} from '../../../../src/plan/co-allocation/what-legs-mean.ts';

const START = 1000;
const INTERVALS = { observeIntervalSeconds: 60, recomputeIntervalSeconds: 300 };

function leg(legId: string, state: ReservationState, startedAt: number | null = null): GroupLegFacts {
  const isOver = state === 'MISSED' || state === 'CANCELLED';
  const execution = { startedAt, cancelRequestedAt: null, cancelReason: null, reason: isOver ? 'too late' : null };
  return {
    legId,
    execution: { ...execution, state: isOver ? 'ENDED' : 'QUEUED' },
    reservation: { state, currentProbability: 0.9 },
  };
}

function group(rule: 'ALL' | 'ANY', ifLegMissed: LegMissPolicy = 'CANCEL_ALL') {
  return { rule: flatRule(rule, null, ['a', 'b']), startAt: START, ifLegMissed, promisedProbability: 0.8 };
}

describe('a co-allocation', () => {
  test('waits for its start while it is open', () => {
    const moves = whatLegsMean(group('ALL'), [leg('a', 'HOLDING', 700), leg('b', 'SUBMITTED')], INTERVALS, 800);
    expect(moves).toMatchObject({ decided: null, losers: [], replace: [], wakeAt: START });
  });

  test('with rule ANY is met by the first that holds, and the other loses', () => {
    const moves = whatLegsMean(group('ANY'), [leg('a', 'SUBMITTED'), leg('b', 'HOLDING', 700)], INTERVALS, 800);
    expect(moves).toMatchObject({ decided: { state: 'SUCCEEDED', reason: 'b met the rule' }, losers: ['a'] });
    expect(moves.wakeAt).toBeNull();
  });

  test('is not decided at its start before what its sites did until then is seen', () => {
    const legs = [leg('a', 'KEPT', 700), leg('b', 'SUBMITTED')];
    expect(whatLegsMean(group('ALL'), legs, INTERVALS, START + 30)).toMatchObject({
      decided: null,
      wakeAt: START + 90,
    });
    const seen = [leg('a', 'KEPT', 700), leg('b', 'MISSED')];
    expect(whatLegsMean(group('ALL'), seen, INTERVALS, START + 90)).toMatchObject({
      decided: { state: 'FAILED', reason: 'the rule cannot be met: b (too late) missed' },
      losers: ['a'],
      because: 'the co-allocation failed',
    });
  });

  test('names a leg that came too late while its site is still asked to end it, and none that was not needed', () => {
    const leaving = (legId: string, cancelReason: string): GroupLegFacts => {
      const { execution, ...late } = leg(legId, 'MISSED');
      const asked = { cancelRequestedAt: START, cancelReason, reason: 'not started in time' };
      return { ...late, legId, execution: { ...execution, ...asked, state: 'QUEUED' } };
    };
    const legs = [leaving('a', 'the reserved time passed'), leg('b', 'KEPT', 700)];
    const { decided } = whatLegsMean(group('ALL'), legs, INTERVALS, START + 90);
    expect(decided?.reason).toBe('the rule cannot be met: a (not started in time) missed');
    const rule = flatRule('ALL', null, ['a', 'b', 'c']);
    const three = [...legs, leaving('c', 'another leg won')];
    expect(whatLegsMean({ ...group('ALL'), rule }, three, INTERVALS, START + 90).decided?.reason).toBe(decided?.reason);
  });

  test('goes on with what there is when its caller wants that', () => {
    const legs = [leg('a', 'HOLDING', 700), leg('b', 'MISSED')];
    const moves = whatLegsMean(group('ALL', 'GO_ON'), legs, INTERVALS, 800);
    expect(moves.decided?.reason).toBe('the rule cannot be met: b (too late) missed; goes on with a');
    expect(moves.losers).toEqual([]);
  });

  test('looks for another leg while there is time, and again while there is none', () => {
    const legs = [leg('a', 'HOLDING', 300), leg('b', 'MISSED')];
    const moves = whatLegsMean(group('ALL', 'REPLACE'), legs, INTERVALS, 400);
    expect(moves).toMatchObject({ decided: null, losers: [], replace: ['b'], wakeAt: START, tryAgainAt: 700 });
    expect(whatLegsMean(group('ALL', 'REPLACE'), legs, INTERVALS, 850).tryAgainAt).toBe(START - 119);
    expect(whatLegsMean(group('ALL', 'REPLACE'), legs, INTERVALS, 890).decided?.state).toBe('FAILED');
  });

  test('that its caller cancels gives up every leg that is alive', () => {
    const moves = whatCancellingGroupMeans([leg('a', 'HOLDING', 300), leg('b', 'MISSED')]);
    expect(moves).toMatchObject({ losers: ['a'], because: CANCELLED_BY_CALLER, decided: { state: 'CANCELLED' } });
  });

  const calledOff = (legId: string, state: ReservationState = 'CANCELLED'): GroupLegFacts => {
    const called = leg(legId, state);
    return { ...called, execution: { ...called.execution, cancelRequestedAt: 600, cancelReason: CANCELLED_BY_CALLER } };
  };

  test('names the leg that its caller cancelled when that fails it', () => {
    const legs = [leg('a', 'HOLDING', 700), calledOff('b')];
    expect(whatLegsMean(group('ALL'), legs, INTERVALS, 800)).toMatchObject({
      decided: { state: 'FAILED', reason: 'the rule cannot be met: b cancelled by its caller' },
      losers: expect.arrayContaining(['a']),
    });
    const both = [leg('a', 'MISSED'), calledOff('b')];
    expect(whatLegsMean(group('ANY'), both, INTERVALS, 800).decided?.reason).toBe(
      'the rule cannot be met: a (too late) missed; b cancelled by its caller',
    );
  });

  test.each([
    'CANCEL_ALL',
    'GO_ON',
    'REPLACE',
  ] as const)('all of whose legs its caller cancelled is cancelled: %s', (policy) => {
    const legs = [calledOff('a', 'SUBMITTED'), calledOff('b')];
    expect(whatLegsMean(group('ANY', policy), legs, INTERVALS, 800).decided).toEqual({
      state: 'CANCELLED',
      reason: CANCELLED_BY_CALLER,
    });
  });
});
