import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CoAllocationLeg, offerCoAllocation } from '../../../src/plan/co-allocate.ts';
import { decideCoAllocation, type LegStanding } from '../../../src/plan/decide-co-allocation.ts';
import { jointProbability } from '../../../src/plan/joint-probability.ts';
import { pickOptions } from '../../../src/plan/pick-options.ts';

/** A leg that can be had with each of the probabilities, at a padding of a thousand times its odds. */
function leg(legId: string, probabilities: readonly number[], processors = 1): CoAllocationLeg {
  const trajectory = probabilities.map((probability, i) => ({ submitAt: i, walltimeSeconds: 100, probability }));
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

describe('joint probability', () => {
  test('all, any and at least two of .9, .8 and .5', () => {
    const legs = [0.9, 0.8, 0.5];
    expect(jointProbability('ALL', legs, null)).toBeCloseTo(0.36, 12);
    expect(jointProbability('ANY', legs, null)).toBeCloseTo(0.99, 12);
    expect(jointProbability('AT_LEAST', legs, 2)).toBeCloseTo(0.36 + 0.36 + 0.09 + 0.04, 12);
  });

  test('either of two at .9 is .99 (section 4.6)', () => {
    expect(jointProbability('ANY', [0.9, 0.9], null)).toBeCloseTo(0.99, 12);
  });
});

describe('offer', () => {
  test('ALL: the cheapest steps whose product is enough', () => {
    const legs = [leg('a', [0.95, 0.9, 0.7]), leg('b', [0.99, 0.9, 0.5])];
    const offer = offerCoAllocation({ legs, rule: 'ALL', atLeast: null, probability: 0.8 });
    expect(offer).toMatchObject({ kind: 'PROMISE', jointProbability: expect.closeTo(0.81, 9) });
    expect(offer.kind === 'PROMISE' && offer.legs.map((one) => one.point.probability)).toEqual([0.9, 0.9]);
    expect(offer.kind === 'PROMISE' && offer.charge.neededProcessorSeconds).toBe(200);
  });

  test('ANY: a leg that is not worth its charge is left out', () => {
    const legs = [leg('dear', [0.5], 1000), leg('a', [0.9]), leg('b', [0.9])];
    const offer = offerCoAllocation({ legs, rule: 'ANY', atLeast: null, probability: 0.98 });
    expect(offer.kind === 'PROMISE' && offer.legs.map((one) => one.legId)).toEqual(['a', 'b']);
    expect(offer.kind === 'PROMISE' && offer.charge).toMatchObject({
      neededProcessorSeconds: 100,
      worstPaddingProcessorSeconds: 1800,
    });
  });

  test('redundancy: two of three reach what two of two cannot', () => {
    const two = [leg('a', [0.8]), leg('b', [0.8])];
    expect(offerCoAllocation({ legs: two, rule: 'AT_LEAST', atLeast: 2, probability: 0.85 }).kind).toBe('REFUSAL');
    const three = [...two, leg('c', [0.8])];
    const offer = offerCoAllocation({ legs: three, rule: 'AT_LEAST', atLeast: 2, probability: 0.85 });
    expect(offer).toMatchObject({ kind: 'PROMISE', jointProbability: expect.closeTo(0.896, 9) });
  });

  test('a refusal names the best joint probability', () => {
    const legs = [leg('a', [0.5, 0.8]), leg('b', [0.9])];
    const offer = offerCoAllocation({ legs, rule: 'ALL', atLeast: null, probability: 0.75 });
    expect(offer).toMatchObject({ kind: 'REFUSAL', bestJointProbability: expect.closeTo(0.72, 9) });
    expect(offer.kind === 'REFUSAL' && offer.reason).toMatch(/all of 2 legs.*0\.75.*0\.7200/);
  });

  test('a leg without any submission time spoils ALL but not ANY', () => {
    const legs = [leg('a', []), leg('b', [0.9])];
    expect(offerCoAllocation({ legs, rule: 'ALL', atLeast: null, probability: 0.1 }).kind).toBe('REFUSAL');
    expect(offerCoAllocation({ legs, rule: 'ANY', atLeast: null, probability: 0.9 }).kind).toBe('PROMISE');
  });

  test('twelve legs of forty choices are planned, and the promise holds', () => {
    const choices = Array.from({ length: 40 }, (_, i) => (i + 60) / 100);
    const legs = Array.from({ length: 12 }, (_, i) => leg(`l${i}`, choices, i + 1));
    const offer = offerCoAllocation({ legs, rule: 'AT_LEAST', atLeast: 8, probability: 0.9 });
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

describe('decision', () => {
  const START_AT = 1000;
  const holding = (legId: string, heldSinceAt: number): LegStanding => ({ legId, state: 'HOLDING', heldSinceAt });
  const waiting = (legId: string): LegStanding => ({ legId, state: 'WAITING', heldSinceAt: null });
  const failed = (legId: string): LegStanding => ({ legId, state: 'FAILED', heldSinceAt: null });

  test('ANY is decided the moment one leg holds; the others are cancelled', () => {
    const legs = [waiting('a'), holding('b', 500), failed('c')];
    expect(decideCoAllocation('ANY', null, legs, START_AT, 510)).toEqual({
      kind: 'SUCCEEDED',
      winners: ['b'],
      losers: ['a'],
    });
  });

  test('ANY with two holding since the same second takes the smaller id', () => {
    const legs = [holding('b', 500), holding('a', 500)];
    expect(decideCoAllocation('ANY', null, legs, START_AT, 500)).toEqual({
      kind: 'SUCCEEDED',
      winners: ['a'],
      losers: ['b'],
    });
  });

  test('ALL waits for the start time with every leg held, and fails with the first that cannot', () => {
    const all = [holding('a', 1), holding('b', 2)];
    expect(decideCoAllocation('ALL', null, all, START_AT, 999)).toEqual({ kind: 'PENDING' });
    expect(decideCoAllocation('ALL', null, all, START_AT, 1000)).toEqual({
      kind: 'SUCCEEDED',
      winners: ['a', 'b'],
      losers: [],
    });
    const broken = [holding('a', 1), failed('b'), waiting('c')];
    expect(decideCoAllocation('ALL', null, broken, START_AT, 10)).toEqual({ kind: 'FAILED', losers: ['a', 'c'] });
  });

  test('at the start time waiting is too late', () => {
    const legs = [holding('a', 1), waiting('b')];
    expect(decideCoAllocation('ALL', null, legs, START_AT, 1000)).toEqual({ kind: 'FAILED', losers: ['a', 'b'] });
    expect(decideCoAllocation('ANY', null, [waiting('b')], START_AT, 1000)).toEqual({ kind: 'FAILED', losers: ['b'] });
  });

  test('AT_LEAST 2 of 3: the first two win, a late third loses', () => {
    const legs = [holding('a', 30), holding('b', 10), holding('c', 20)];
    expect(decideCoAllocation('AT_LEAST', 2, legs, START_AT, 40)).toEqual({
      kind: 'SUCCEEDED',
      winners: ['b', 'c'],
      losers: ['a'],
    });
    expect(decideCoAllocation('AT_LEAST', 2, [holding('a', 1), waiting('b'), failed('c')], START_AT, 40).kind).toBe(
      'PENDING',
    );
  });

  test('no leg is forgotten: those that hold or wait are winners or losers once it is decided', () => {
    const standing = fc.constantFrom<LegStanding['state']>('HOLDING', 'WAITING', 'FAILED');
    fc.assert(
      fc.property(
        fc.array(standing, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('ALL', 'ANY', 'AT_LEAST'),
        fc.boolean(),
        (states, rule, isTime) => {
          const legs = states.map((state, i) => ({
            legId: `${i}`,
            state,
            heldSinceAt: state === 'HOLDING' ? i : null,
          }));
          const decision = decideCoAllocation(rule, Math.ceil(legs.length / 2), legs, START_AT, isTime ? 1000 : 10);
          if (decision.kind === 'PENDING') {
            expect(isTime).toBe(false);
            return;
          }
          const named = [...(decision.kind === 'SUCCEEDED' ? decision.winners : []), ...decision.losers];
          expect(named.sort()).toEqual(legs.filter((one) => one.state !== 'FAILED').map((one) => one.legId));
        },
      ),
    );
  });
});
