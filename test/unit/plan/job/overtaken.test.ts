import { expect, test } from 'vitest';
import type { LossReason } from '../../../../src/domain/loss-reason.ts';
import type { Candidate, Plan } from '../../../../src/domain/plan.ts';
import { canBeOvertaken, couldBeOvertaken } from '../../../../src/plan/job/overtaken.ts';

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

test('one that is still to be made may come out otherwise where there is a choice', () => {
  const job = { ...FREE, queue: null, statedProcessors: null };
  const sites = (...queues: number[]) => queues.map((length) => ({ queues: Array.from({ length }) }));
  expect(couldBeOvertaken(job, sites(1))).toBe(false);
  expect(couldBeOvertaken(job, sites(0))).toBe(false);
  expect(couldBeOvertaken(job, sites(2))).toBe(true);
  expect(couldBeOvertaken({ ...job, queue: 'batch' }, sites(2))).toBe(false);
  expect(couldBeOvertaken(job, sites(1, 1))).toBe(true);
  expect(couldBeOvertaken({ ...job, statedProcessors: 4 }, sites(1))).toBe(true);
  expect(couldBeOvertaken({ ...job, deadlineAt: 9 }, sites(1))).toBe(true);
});
