import { expect, test } from 'vitest';
import type { LossReason } from '../../../../src/domain/loss-reason.ts';
import type { Candidate, Plan } from '../../../../src/domain/plan.ts';
import { canBeOvertaken } from '../../../../src/plan/job/overtaken.ts';

const FREE = { deadlineAt: null, maxRisk: null, maxDelaySeconds: null };
const planOf = (...losses: LossReason[]) =>
  ({ candidates: [null, ...losses].map((lostBecause) => ({ lostBecause }) as Candidate) }) as unknown as Plan;

test('a plan with one option left comes out the same whoever was planned meanwhile', () => {
  expect(canBeOvertaken(FREE, planOf())).toBe(false);
  expect(canBeOvertaken(FREE, planOf('TOO_LARGE', 'SUSPENDED', 'REFUSED'))).toBe(false);
  expect(canBeOvertaken(FREE, planOf('TOO_LARGE', 'SLOWER'))).toBe(true);
  expect(canBeOvertaken({ ...FREE, maxDelaySeconds: 0 }, planOf())).toBe(false);
});

test.each([{ deadlineAt: 9 }, { maxRisk: 0.1 }, { maxDelaySeconds: 60 }])('one with %j to meet may not', (limit) => {
  expect(canBeOvertaken({ ...FREE, ...limit }, planOf())).toBe(true);
});
