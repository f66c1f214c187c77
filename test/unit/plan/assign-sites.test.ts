import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AssignmentPromise, assignSites } from '../../../src/plan/assign-sites.ts';
import type { PartCandidate } from '../../../src/plan/assignment.ts';
import { expectedCharge } from '../../../src/plan/charge.ts';
import { jointProbability } from '../../../src/plan/joint-probability.ts';
import { all, any, isMet } from './rule-fixture.ts';

/**
 * A part at a site that can be had with one probability at one padding; its own work is a hundred processor-seconds.
 */
function candidate(partId: string, siteId: string, probability: number, padding: number): PartCandidate {
  return {
    legId: `${partId}@${siteId}`,
    partId,
    siteId,
    trajectory: [{ submitAt: 0, walltimeSeconds: 100, probability, expectedHoldSeconds: 0 }],
    chargeAt: () => ({
      neededProcessorSeconds: 100,
      worstPaddingProcessorSeconds: padding,
      expectedPaddingProcessorSeconds: padding,
    }),
  };
}

const both = all('x', 'y');
const ask = (candidates: readonly PartCandidate[], probability: number, mostSitesPerPart = 2) =>
  assignSites({ candidates, rule: both, probability, mostSitesPerPart });

/** Both parts at each of the sites, with a probability and a padding per site. */
function everywhere(sites: readonly (readonly [string, number, number])[]): PartCandidate[] {
  return sites.flatMap(([site, p, padding]) => [candidate('x', site, p, padding), candidate('y', site, p, padding)]);
}

describe('both of two parts', () => {
  test('two sites are enough for .8, the two cheapest that reach it', () => {
    const offer = ask(
      everywhere([
        ['a', 0.9, 50],
        ['b', 0.9, 10],
        ['c', 0.9, 20],
        ['d', 0.99, 90],
      ]),
      0.8,
    );
    expect(offer).toMatchObject({ kind: 'PROMISE', jointProbability: expect.closeTo(0.81, 9) });
    expect(sitesOf(offer as AssignmentPromise)).toEqual(['b', 'c']);
  });

  test('redundancy reaches what no two sites can', () => {
    const sites = everywhere([
      ['a', 0.8, 50],
      ['b', 0.8, 10],
      ['c', 0.8, 20],
      ['d', 0.8, 30],
    ]);
    expect(ask(sites, 0.9, 1)).toMatchObject({ kind: 'REFUSAL', bestJointProbability: expect.closeTo(0.64, 4) });
    const offer = ask(sites, 0.9) as AssignmentPromise;
    expect(offer.jointProbability).toBeCloseTo(0.96 * 0.96, 9);
    expect(sitesOf(offer)).toEqual(['a', 'b', 'c', 'd']);
    expect(offer.rule).toMatchObject({ rule: 'ALL', members: [{ rule: 'ANY' }, { rule: 'ANY' }] });
  });

  test('a part that only one site can run gets that site', () => {
    const offer = ask([candidate('x', 'a', 0.99, 1), candidate('y', 'a', 0.9, 1), candidate('x', 'b', 0.9, 5)], 0.8, 1);
    expect((offer as AssignmentPromise).legs.map(({ legId }) => legId)).toEqual(['y@a', 'x@b']);
  });

  test('a refusal names the best on offer', () => {
    const offer = ask(
      everywhere([
        ['a', 0.8, 1],
        ['b', 0.5, 1],
        ['c', 0.5, 1],
      ]),
      0.7,
    );
    expect(offer).toMatchObject({ kind: 'REFUSAL', bestJointProbability: expect.closeTo(0.6, 4) });
    expect(offer.kind === 'REFUSAL' && offer.reason).toBe(
      'all of 2 legs with probability 0.7 is not on offer; the best is 0.6000',
    );
    expect(offer.legs).toHaveLength(3);
  });
});

test('whatever the sites, a promise reaches the target, uses a site once and costs little more than the cheapest way', () => {
  const site = fc.record({
    x: fc.integer({ min: 50, max: 99 }),
    y: fc.integer({ min: 50, max: 99 }),
    paddingOfX: fc.integer({ min: 0, max: 1000 }),
    paddingOfY: fc.integer({ min: 0, max: 1000 }),
  });
  let dearer = 0;
  let promised = 0;
  fc.assert(
    fc.property(fc.array(site, { minLength: 2, maxLength: 4 }), fc.integer({ min: 40, max: 95 }), (sites, percent) => {
      const candidates = sites.flatMap(({ x, y, paddingOfX, paddingOfY }, i) => [
        candidate('x', `${i}`, x / 100, paddingOfX),
        candidate('y', `${i}`, y / 100, paddingOfY),
      ]);
      const offer = ask(candidates, percent / 100, 4);
      const cheapest = cheapestOfAll(candidates, sites.length, percent / 100);
      if (offer.kind === 'REFUSAL') {
        expect(cheapest).toBeNull();
        return;
      }
      const used = sitesOf(offer);
      expect(new Set(used).size).toBe(used.length);
      const chosen = new Map(offer.legs.map(({ legId, point }) => [legId, point.probability]));
      expect(jointProbability(offer.rule, (legId) => chosen.get(legId) ?? 0)).toBeCloseTo(offer.jointProbability, 9);
      expect(offer.jointProbability).toBeGreaterThanOrEqual(percent / 100 - 1e-9);
      expect(isMet(offer.rule, (legId) => chosen.has(legId))).toBe(true);
      promised++;
      if (expectedCharge(offer.charge) > (cheapest ?? 0) * 1.05 + 1e-6) dearer++;
    }),
    { seed: 11, numRuns: 300 },
  );
  expect(promised).toBeGreaterThan(100);
  expect(dearer / promised).toBeLessThan(0.05);
});

test('either-or over parts is no trouble', () => {
  const offer = assignSites({
    candidates: everywhere([
      ['a', 0.9, 5],
      ['b', 0.9, 5],
    ]),
    rule: any('x', 'y'),
    probability: 0.99,
    mostSitesPerPart: 1,
  });
  expect(offer).toMatchObject({ kind: 'PROMISE', jointProbability: expect.closeTo(0.99, 9) });
});

function sitesOf({ legs }: AssignmentPromise): string[] {
  return legs.map(({ legId }) => legId.split('@')[1] ?? '').sort();
}

/** The least charge over every way to give each site to x, to y or to nobody; null when none reaches the target. */
function cheapestOfAll(candidates: readonly PartCandidate[], sites: number, target: number): number | null {
  let least: number | null = null;
  for (let way = 0; way < 3 ** sites; way++) {
    const chosen = Array.from({ length: sites }, (_, i) => Math.floor(way / 3 ** i) % 3).flatMap((use, i) => {
      const part = ['', 'x', 'y'][use];
      return candidates.filter(({ partId, siteId }) => partId === part && siteId === `${i}`);
    });
    const met = (part: string) =>
      1 -
      chosen
        .filter(({ partId }) => partId === part)
        .reduce((miss, one) => miss * (1 - (one.trajectory[0]?.probability ?? 0)), 1);
    if (met('x') * met('y') < target - 1e-12) continue;
    const charge =
      200 +
      chosen.reduce((sum, one) => sum + one.chargeAt(one.trajectory[0] as never).expectedPaddingProcessorSeconds, 0);
    least = Math.min(least ?? Number.POSITIVE_INFINITY, charge);
  }
  return least;
}
