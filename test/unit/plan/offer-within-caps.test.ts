import { expect, test } from 'vitest';
import { UNKNOWN_DEPENDENCE } from '../../../src/domain/dependence.ts';
import type { CappedCandidate } from '../../../src/plan/offer-within-caps.ts';
import { offerJointly, offerWithinCaps } from './at-once.ts';
import { all, any } from './rule-fixture.ts';

const CHANCES = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99];

/** A part at a site where every probability has its price in padding, of which so much is paid. */
function candidate(partId: string, siteId: string, most: number): CappedCandidate {
  const paddingAt = (walltimeSeconds: number) => 10 * (walltimeSeconds - 100);
  const trajectory = CHANCES.map((probability, i) => {
    return { submitAt: -i, walltimeSeconds: 100 + i, probability, expectedHoldSeconds: 0 };
  });
  return {
    legId: `${partId}@${siteId}`,
    partId,
    siteId,
    trajectory,
    affordable: trajectory.filter(({ walltimeSeconds }) => paddingAt(walltimeSeconds) <= most),
    chargeAt: ({ walltimeSeconds }) => ({
      neededProcessorSeconds: 100,
      worstPaddingProcessorSeconds: paddingAt(walltimeSeconds),
      expectedPaddingProcessorSeconds: paddingAt(walltimeSeconds),
    }),
  };
}

const terms = {
  rule: all('x', 'y'),
  probability: 0.8,
  mostSitesPerPart: 1,
  minimumPessimisticProbability: null,
  dependenceOf: () => UNKNOWN_DEPENDENCE,
};
const FREE = Number.POSITIVE_INFINITY;

test('without a cap that bites the offer is that of all points', () => {
  for (const probability of [0.8, 0.999]) {
    const free = { ...terms, probability, candidates: [candidate('x', 's', FREE), candidate('y', 't', FREE)] };
    expect(offerWithinCaps(free)).toEqual(offerJointly(free));
  }
});

test('a leg that would have to cost more is named, with how much would do', () => {
  const capped = offerWithinCaps({ ...terms, candidates: [candidate('x', 's', FREE), candidate('y', 't', 20)] });
  expect(capped).toMatchObject({ kind: 'REFUSAL', unmet: 'maxPaddingProcessorSeconds' });
  if (capped.kind !== 'REFUSAL' || capped.unmet !== 'maxPaddingProcessorSeconds') throw new Error('refused otherwise');
  expect(capped.bestJointProbability).toBeCloseTo(0.99 * 0.7);
  expect(capped.dearParts.map(({ partId }) => partId)).toEqual(['y']);
  const [needed] = capped.dearParts.map(({ worstPaddingProcessorSeconds }) => worstPaddingProcessorSeconds);
  expect(capped.reason).toContain(`at most ${needed} processor-seconds for leg y would do`);
  const lifted = [candidate('x', 's', FREE), candidate('y', 't', needed ?? 0)];
  expect(offerWithinCaps({ ...terms, candidates: lifted })).toMatchObject({ kind: 'PROMISE' });
});

test('legs within their caps are preferred to dearer ones', () => {
  const candidates = [candidate('x', 's', 20), candidate('y', 't', FREE)];
  const offer = offerWithinCaps({ ...terms, rule: any('x', 'y'), candidates });
  expect(offer).toMatchObject({ kind: 'PROMISE' });
  const ofX = offer.legs.find(({ legId }) => legId === 'x@s');
  expect(ofX?.point.walltimeSeconds ?? 0).toBeLessThanOrEqual(102);
});

test('what no padding would bring is refused for its probability', () => {
  const candidates = [candidate('x', 's', 20), candidate('y', 't', 20)];
  const refused = offerWithinCaps({ ...terms, probability: 0.999, candidates });
  expect(refused).toMatchObject({ kind: 'REFUSAL', unmet: 'probability' });
});
