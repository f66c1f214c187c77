import { expect, test } from 'vitest';
import { CO_ALLOCATION_MOVES, CO_ALLOCATION_STATES, legsNeeded } from '../../../src/domain/co-allocation.ts';
import { EXECUTION_MOVES, EXECUTION_STATES } from '../../../src/domain/execution.ts';
import { RESERVATION_MOVES, RESERVATION_STATES } from '../../../src/domain/reservation.ts';
import { assertMove, isFinal, type LegalMoves } from '../../../src/domain/state-machine.ts';
import { SUBMISSION_MOVES, SUBMISSION_STATES } from '../../../src/domain/submission.ts';

const MACHINES: [string, readonly string[], LegalMoves<string>, string][] = [
  ['execution', EXECUTION_STATES, EXECUTION_MOVES, 'REQUESTED'],
  ['reservation', RESERVATION_STATES, RESERVATION_MOVES, 'PROMISED'],
  ['co-allocation', CO_ALLOCATION_STATES, CO_ALLOCATION_MOVES, 'PENDING'],
];

test.each(MACHINES)('every state of a %s can be reached and leads to an end', (_name, states, moves, initial) => {
  const reachable = reach(moves, [initial]);
  expect([...reachable].sort()).toEqual([...states].sort());
  for (const state of states) {
    expect(
      [...reach(moves, [state])].some((other) => isFinal(moves, other)),
      state,
    ).toBe(true);
  }
});

test('an illegal move crashes and names the thing and both states', () => {
  expect(() => assertMove('execution 7', EXECUTION_MOVES, 'ENDED', 'RUNNING')).toThrow(
    'invariant broken: execution 7 cannot go from ENDED to RUNNING',
  );
  expect(() => assertMove('execution 7', EXECUTION_MOVES, 'HELD', 'SUBMITTING')).not.toThrow();
});

test('an execution never holds a native job without an intent on record', () => {
  const withNativeJob = ['QUEUED', 'RUNNING'];
  for (const [from, targets] of Object.entries(EXECUTION_MOVES)) {
    const enters = targets.some((to) => withNativeJob.includes(to));
    if (enters) expect(['SUBMITTING', ...withNativeJob]).toContain(from);
  }
});

test('an attempt is taken back from its site only by way of a wish on record, and never comes back', () => {
  const before = SUBMISSION_STATES.filter((state) => SUBMISSION_MOVES[state].includes('WITHDRAWN'));
  expect(before).toEqual(['WITHDRAWING']);
  expect(SUBMISSION_STATES.filter((state) => SUBMISSION_MOVES[state].includes('WITHDRAWING'))).toEqual(['ACCEPTED']);
  for (const state of ['REJECTED', 'ABSENT', 'WITHDRAWN'] as const) expect(SUBMISSION_MOVES[state], state).toEqual([]);
  expect(reach(SUBMISSION_MOVES, ['INTENDED'])).toEqual(new Set(SUBMISSION_STATES));
});

test('a rule says how many legs it needs', () => {
  expect(legsNeeded('ALL', 3, null)).toBe(3);
  expect(legsNeeded('ANY', 3, null)).toBe(1);
  expect(legsNeeded('AT_LEAST', 3, 2)).toBe(2);
});

function reach(moves: LegalMoves<string>, from: string[]): Set<string> {
  const reached = new Set(from);
  for (const state of reached) for (const next of moves[state] ?? []) reached.add(next);
  return reached;
}
