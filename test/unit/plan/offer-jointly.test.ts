import { describe, expect, test } from 'vitest';
import { UNKNOWN_DEPENDENCE } from '../../../src/domain/dependence.ts';
import type { PartCandidate } from '../../../src/plan/assignment.ts';
import type { JointInput } from '../../../src/plan/offer-jointly.ts';
import { offerJointly } from './at-once.ts';
import { all, any } from './rule-fixture.ts';

const CHANCES = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99];

/** A part at a site where every probability has its price. */
function candidate(partId: string, siteId: string, chances = CHANCES): PartCandidate {
  return {
    legId: `${partId}@${siteId}`,
    partId,
    siteId,
    trajectory: chances.map((probability, i) => ({
      submitAt: -i,
      walltimeSeconds: 100 + i,
      probability,
      expectedHoldSeconds: 0,
    })),
    chargeAt: ({ walltimeSeconds }) => ({
      neededProcessorSeconds: 100,
      worstPaddingProcessorSeconds: walltimeSeconds,
      expectedPaddingProcessorSeconds: walltimeSeconds,
    }),
  };
}

const measured = { pairs: 400, effectivePairs: 400, correlation: 0, lowest: -0.1, highest: 0.1 };

function ask(terms: Partial<JointInput> = {}) {
  const candidates = ['s', 't', 'u', 'v'].flatMap((site) => [candidate('x', site), candidate('y', site)]);
  return offerJointly({
    candidates,
    rule: all('x', 'y'),
    probability: 0.6,
    mostSitesPerPart: 1,
    minimumPessimisticProbability: null,
    dependenceOf: () => UNKNOWN_DEPENDENCE,
    ...terms,
  });
}

test('says what dependence may leave, and how much was measured', () => {
  const unknown = ask();
  const known = ask({ dependenceOf: () => measured });
  expect(unknown).toMatchObject({ kind: 'PROMISE', pessimistic: { pairedObservations: 0 } });
  expect(known).toMatchObject({ kind: 'PROMISE', pessimistic: { pairedObservations: 400 } });
  const jointOf = (offer: typeof known) => (offer.kind === 'PROMISE' ? offer.jointProbability : Number.NaN);
  expect(jointOf(unknown)).toBe(jointOf(known));
  expect(unknown.pessimistic.probability).toBeLessThan(known.pessimistic.probability);
  expect(known.pessimistic.probability).toBeLessThan(jointOf(known));
});

test('the pair of sites with the fewest observations counts', () => {
  const offer = ask({
    mostSitesPerPart: 2,
    probability: 0.985,
    dependenceOf: (one, other) => ({ ...measured, pairs: one === 's' || other === 's' ? 7 : 300 }),
  });
  expect(offer).toMatchObject({ kind: 'PROMISE', pessimistic: { pairedObservations: 7 } });
});

test('a single site has nothing to depend on', () => {
  const offer = ask({ rule: any('x', 'y'), probability: 0.5, candidates: [candidate('x', 's'), candidate('y', 's')] });
  expect(offer).toMatchObject({ kind: 'PROMISE', pessimistic: { pairedObservations: null } });
});

describe('with a minimum for the pessimistic figure', () => {
  test('the cheapest is taken where it reaches it', () => {
    expect(ask({ minimumPessimisticProbability: 0.1 })).toEqual(ask());
  });

  test('more joint probability is asked for, no more than needed', () => {
    const cheapest = ask();
    const surer = ask({ minimumPessimisticProbability: 0.75 });
    expect(cheapest.pessimistic.probability).toBeLessThan(0.75);
    if (surer.kind !== 'PROMISE' || cheapest.kind !== 'PROMISE') throw new Error('both are on offer');
    expect(surer.pessimistic.probability).toBeGreaterThanOrEqual(0.75);
    expect(surer.jointProbability).toBeGreaterThan(cheapest.jointProbability);
    expect(surer.jointProbability).toBeLessThan(0.99 * 0.99);
    expect(surer.charge.expectedPaddingProcessorSeconds).toBeGreaterThan(
      cheapest.charge.expectedPaddingProcessorSeconds,
    );
  });

  test('a refusal names the most that is left', () => {
    const offer = ask({ minimumPessimisticProbability: 0.985 });
    expect(offer).toMatchObject({ kind: 'REFUSAL', unmet: 'minimumPessimisticProbability' });
    expect(offer.pessimistic.probability).toBeCloseTo(0.98, 2);
    expect(offer.kind === 'REFUSAL' && offer.bestJointProbability).toBeCloseTo(0.9801, 9);
    expect(offer.kind === 'REFUSAL' && offer.reason).toMatch(
      /0\.985 is not on offer; the best is 0\.98\d\d, by 0 paired/,
    );
  });
});

test('a refusal of the joint probability has the pessimistic figure of what comes closest', () => {
  const offer = ask({ probability: 0.99 });
  expect(offer).toMatchObject({ kind: 'REFUSAL', unmet: 'probability', pessimistic: { pairedObservations: 0 } });
  expect(offer.kind === 'REFUSAL' && offer.bestJointProbability).toBeCloseTo(0.9801, 9);
  expect(offer.pessimistic.probability).toBeCloseTo(0.98, 2);
});
