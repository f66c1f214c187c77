import fc from 'fast-check';
import { expect, test } from 'vitest';
import { legsOfRule, type RuleTree } from '../../../src/domain/co-allocation.ts';
import { jointProbability } from '../../../src/plan/joint-probability.ts';
import { all, any, arbitraryRule, atLeast, isMet } from './rule-fixture.ts';

const joint = (rule: RuleTree, probabilities: Record<string, number>) =>
  jointProbability(rule, (legId) => probabilities[legId] ?? 0);

test('all, any and at least two of .9, .8 and .5', () => {
  const legs = { a: 0.9, b: 0.8, c: 0.5 };
  expect(joint(all('a', 'b', 'c'), legs)).toBeCloseTo(0.36, 12);
  expect(joint(any('a', 'b', 'c'), legs)).toBeCloseTo(0.99, 12);
  expect(joint(atLeast(2, 'a', 'b', 'c'), legs)).toBeCloseTo(0.36 + 0.36 + 0.09 + 0.04, 12);
});

test('either of two at .9 is .99 (section 4.6)', () => {
  expect(joint(any('a', 'b'), { a: 0.9, b: 0.9 })).toBeCloseTo(0.99, 12);
});

test('all of: any of two at .9, any of two at .8', () => {
  const rule = all(any('a', 'b'), any('c', 'd'));
  expect(joint(rule, { a: 0.9, b: 0.9, c: 0.8, d: 0.8 })).toBeCloseTo(0.99 * 0.96, 12);
  expect(joint(rule, { a: 0.9, b: 0.9 })).toBe(0);
});

test('equals the sum over all outcomes, whatever the rule', () => {
  fc.assert(
    fc.property(
      arbitraryRule(),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 27, maxLength: 27 }),
      (rule, p) => {
        const legs = legsOfRule(rule).slice(0, 12);
        const probabilityOf = (legId: string) => (legs.includes(legId) ? (p[Number(legId.slice(1))] ?? 0) : 0);
        let expected = 0;
        for (let outcome = 0; outcome < 2 ** legs.length; outcome++) {
          const runs = (legId: string) => legs.includes(legId) && (outcome >> legs.indexOf(legId)) % 2 === 1;
          if (!isMet(rule, runs)) continue;
          expected += legs.reduce(
            (mass, legId) => mass * (runs(legId) ? probabilityOf(legId) : 1 - probabilityOf(legId)),
            1,
          );
        }
        expect(jointProbability(rule, probabilityOf)).toBeCloseTo(expected, 10);
      },
    ),
  );
});
