import { describe, expect, test } from 'vitest';
import { type CoAllocationRule, flatRule } from '../../../src/domain/co-allocation.ts';
import { type CoAllocationLeg, offerCoAllocation } from '../../../src/plan/co-allocate.ts';
import { pickOptions } from '../../../src/plan/pick-options.ts';

/** A leg that can be had with each of the probabilities, at a padding of a thousand times its odds. */
function leg(legId: string, probabilities: readonly number[], processors = 1): CoAllocationLeg {
  const trajectory = probabilities.map((probability, i) => ({
    submitAt: i,
    walltimeSeconds: 100,
    probability,
    expectedHoldSeconds: 0,
  }));
  return {
    legId,
    trajectory,
    chargeAt: ({ probability }) => ({
      neededProcessorSeconds: 100 * processors,
      worstPaddingProcessorSeconds: 2000 * processors * probability,
      expectedPaddingProcessorSeconds: (1000 * processors * probability) / (1.001 - probability),
    }),
  };
}

function offerFor(
  legs: readonly CoAllocationLeg[],
  rule: CoAllocationRule,
  atLeast: number | null,
  probability: number,
) {
  const ids = legs.map(({ legId }) => legId);
  return offerCoAllocation({ legs, rule: flatRule(rule, atLeast, ids), probability });
}

describe('offer', () => {
  test('ALL: the cheapest steps whose product is enough', () => {
    const legs = [leg('a', [0.95, 0.9, 0.7]), leg('b', [0.99, 0.9, 0.5])];
    const offer = offerFor(legs, 'ALL', null, 0.8);
    expect(offer).toMatchObject({ kind: 'PROMISE', jointProbability: expect.closeTo(0.81, 9) });
    expect(offer.kind === 'PROMISE' && offer.legs.map((one) => one.point.probability)).toEqual([0.9, 0.9]);
    expect(offer.kind === 'PROMISE' && offer.charge.neededProcessorSeconds).toBe(200);
  });

  test('ANY: a leg that is not worth its charge is left out', () => {
    const legs = [leg('dear', [0.5], 1000), leg('a', [0.9]), leg('b', [0.9])];
    const offer = offerFor(legs, 'ANY', null, 0.98);
    expect(offer.kind === 'PROMISE' && offer.legs.map((one) => one.legId)).toEqual(['a', 'b']);
    expect(offer.kind === 'PROMISE' && offer.charge).toMatchObject({
      neededProcessorSeconds: 100,
      worstPaddingProcessorSeconds: 1800,
    });
  });

  test('redundancy: two of three reach what two of two cannot', () => {
    const two = [leg('a', [0.8]), leg('b', [0.8])];
    expect(offerFor(two, 'AT_LEAST', 2, 0.85).kind).toBe('REFUSAL');
    const three = [...two, leg('c', [0.8])];
    const offer = offerFor(three, 'AT_LEAST', 2, 0.85);
    expect(offer).toMatchObject({ kind: 'PROMISE', jointProbability: expect.closeTo(0.896, 9) });
  });

  test('a refusal names the best joint probability', () => {
    const legs = [leg('a', [0.5, 0.8]), leg('b', [0.9])];
    const offer = offerFor(legs, 'ALL', null, 0.75);
    expect(offer).toMatchObject({ kind: 'REFUSAL', bestJointProbability: expect.closeTo(0.72, 9) });
    expect(offer.kind === 'REFUSAL' && offer.reason).toMatch(/all of 2 legs.*0\.75.*0\.7200/);
  });

  test('a leg without any submission time spoils ALL but not ANY', () => {
    const legs = [leg('a', []), leg('b', [0.9])];
    expect(offerFor(legs, 'ALL', null, 0.1).kind).toBe('REFUSAL');
    expect(offerFor(legs, 'ANY', null, 0.9).kind).toBe('PROMISE');
  });

  test('twelve legs of forty choices are planned, and the promise holds', () => {
    const choices = Array.from({ length: 40 }, (_, i) => (i + 60) / 100);
    const legs = Array.from({ length: 12 }, (_, i) => leg(`l${i}`, choices, i + 1));
    const offer = offerFor(legs, 'AT_LEAST', 8, 0.9);
    expect(offer.kind === 'PROMISE' && offer.jointProbability).toBeGreaterThanOrEqual(0.9);
    expect(offer.kind === 'PROMISE' && offer.jointProbability).toBeLessThan(0.95);
  });
});

test('the descent comes close to the exact least cost', () => {
  const product = (probabilities: readonly number[]) => probabilities.reduce((all, one) => all * one, 1);
  const choices = (scale: number) =>
    Array.from({ length: 20 }, (_, i) => ({
      probability: (i + 80) / 100,
      cost: scale / (1.01 - (i + 80) / 100),
      leg: i,
    }));
  const filler = Array.from({ length: 5 }, () => [
    { probability: 1, cost: 0, leg: 0 },
    { probability: 1, cost: 1e9, leg: 1 },
  ]);
  const small = [choices(1), choices(3), choices(10)];
  const cost = (picked: readonly { cost: number }[] | null) => picked?.reduce((sum, one) => sum + one.cost, 0) ?? 0;
  for (const target of [0.6, 0.75, 0.9]) {
    const exact = cost(pickOptions(small, product, target));
    const descended = cost(pickOptions([...small, ...filler], product, target));
    expect(descended).toBeGreaterThanOrEqual(exact);
    expect(descended).toBeLessThanOrEqual(exact * 1.02);
  }
});
