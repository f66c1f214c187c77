import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleTree } from '../../../src/domain/co-allocation.ts';
import { UNKNOWN_DEPENDENCE } from '../../../src/domain/dependence.ts';
import { jointProbability } from '../../../src/plan/joint-probability.ts';
import { pessimisticJointProbability } from '../../../src/plan/pessimistic-joint-probability.ts';
import { all, any, arbitraryRule } from './rule-fixture.ts';

const pessimistic = (rule: RuleTree, p: number, lowest: number, highest: number) =>
  pessimisticJointProbability(rule, () => p, [{ lowest, highest }]);

test('two legs at a half: the orthant probability of a bivariate normal', () => {
  expect(pessimistic(any('a', 'b'), 0.5, 0, 0.5)).toBeCloseTo(1 - (0.25 + Math.asin(0.5) / (2 * Math.PI)), 6);
  expect(pessimistic(all('a', 'b'), 0.5, -0.5, 0)).toBeCloseTo(0.25 - Math.asin(0.5) / (2 * Math.PI), 6);
});

test('dependence in the good direction is not counted on', () => {
  expect(pessimistic(all('a', 'b'), 0.9, 0.2, 0.8)).toBeCloseTo(0.81, 9);
  expect(pessimistic(any('a', 'b'), 0.9, -0.8, -0.2)).toBeCloseTo(0.99, 9);
});

describe('with nothing measured', () => {
  test('either of two is hardly better than the better one', () => {
    const least = pessimisticJointProbability(any('a', 'b'), (legId) => (legId === 'a' ? 0.9 : 0.8), [
      UNKNOWN_DEPENDENCE,
    ]);
    expect(least).toBeGreaterThan(0.9);
    expect(least).toBeLessThan(0.905);
  });

  test('both of two may be missed by turns', () => {
    const least = pessimisticJointProbability(all('a', 'b'), () => 0.9, [UNKNOWN_DEPENDENCE]);
    expect(least).toBeCloseTo(0.8, 2);
  });
});

test('a single site has nothing to depend on', () => {
  expect(pessimisticJointProbability(all('a', 'b'), () => 0.9, [])).toBeCloseTo(0.81, 12);
});

test('never above the independent figure, and less the more the sites may depend on each other', () => {
  const probabilities = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 27, maxLength: 27 });
  fc.assert(
    fc.property(arbitraryRule(), probabilities, (rule, p) => {
      const probabilityOf = (legId: string) => p[Number(legId.slice(1))] ?? 0;
      const at = (highest: number) => pessimisticJointProbability(rule, probabilityOf, [{ lowest: 0, highest }]);
      const independent = jointProbability(rule, probabilityOf);
      expect(at(0)).toBeCloseTo(independent, 9);
      expect(at(0.3)).toBeLessThanOrEqual(independent + 1e-9);
      expect(at(0.3)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 50 },
  );
});
