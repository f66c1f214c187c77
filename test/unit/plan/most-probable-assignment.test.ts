import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RuleTree } from '../../../src/domain/co-allocation.ts';
import type { PartAtSite, PartCandidate } from '../../../src/plan/assignment.ts';
import { jointProbability } from '../../../src/plan/joint-probability.ts';
import { sitesSuffice } from '../../../src/plan/most-probable-assignment.ts';
import { mostProbableAssignment } from './at-once.ts';
import { all, any, atLeast } from './rule-fixture.ts';

const PARTS = ['a', 'b', 'c', 'd'];
const RULES = [all('a', 'b', 'c', 'd'), atLeast(3, 'a', 'b', 'c', 'd'), all(any('a', 'b'), 'c', 'd'), any('a', 'b')];

/** Percent to start in time per site and part; 0 where the part may not go to the site. */
const chances = fc.array(fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 4, maxLength: 4 }), {
  minLength: 2,
  maxLength: 5,
});

function candidatesOf(sites: readonly (readonly number[])[]): PartCandidate[] {
  return sites.flatMap((parts, site) =>
    parts.flatMap((percent, part) =>
      percent < 20
        ? []
        : {
            legId: `${part}@${site}`,
            partId: PARTS[part] as string,
            siteId: `${site}`,
            trajectory: [{ submitAt: 0, walltimeSeconds: 100, probability: percent / 100, expectedHoldSeconds: 0 }],
            chargeAt: () => ({
              neededProcessorSeconds: 1,
              worstPaddingProcessorSeconds: 1,
              expectedPaddingProcessorSeconds: 1,
            }),
          },
    ),
  );
}

/** The rule's probability over every way to give each site to one of its parts or to none, at its highest. */
function highestOfAll(candidates: readonly PartCandidate[], rule: RuleTree, most: number): number {
  const sites = [...new Set(candidates.map(({ siteId }) => siteId))];
  const below = (chosen: readonly PartCandidate[], next: number): number => {
    if (next === sites.length) return jointOf(chosen, rule);
    const here = candidates.filter(
      ({ siteId, partId }) => siteId === sites[next] && chosen.filter((one) => one.partId === partId).length < most,
    );
    return Math.max(below(chosen, next + 1), ...here.map((one) => below([...chosen, one], next + 1)));
  };
  return below([], 0);
}

function jointOf(chosen: readonly PartCandidate[], rule: RuleTree): number {
  return jointProbability(rule, (part) => {
    const own = chosen.filter(({ partId }) => partId === part);
    return 1 - own.reduce((miss, { trajectory }) => miss * (1 - (trajectory[0]?.probability ?? 0)), 1);
  });
}

test('no other sites for the parts make the rule more probable', () => {
  fc.assert(
    fc.property(chances, fc.constantFrom(...RULES), fc.integer({ min: 1, max: 2 }), (sites, rule, most) => {
      const candidates = candidatesOf(sites);
      const found = mostProbableAssignment({ candidates, rule, probability: 0.5, mostSitesPerPart: most });
      expect(new Set(found.map(({ siteId }) => siteId)).size).toBe(found.length);
      expect(jointOf(found, rule)).toBeCloseTo(highestOfAll(candidates, rule, most), 9);
    }),
    { seed: 5, numRuns: 300 },
  );
});

test('sites suffice when some way to give them out could meet the rule', () => {
  fc.assert(
    fc.property(chances, fc.constantFrom(...RULES), (sites, rule) => {
      const certain = candidatesOf(sites.map((parts) => parts.map((percent) => (percent < 60 ? 0 : 100))));
      expect(sitesSuffice(rule, certain)).toBe(highestOfAll(certain, rule, 1) > 0.99);
    }),
    { seed: 6, numRuns: 300 },
  );
});

test('a long chain of parts that have to give way is found', () => {
  const mayGo: readonly (readonly [string, string])[] = [
    ['a', '1'],
    ['b', '1'],
    ['b', '2'],
    ['c', '2'],
    ['c', '3'],
    ['d', '3'],
    ['d', '4'],
  ];
  const candidates = mayGo.map(([partId, siteId]): PartAtSite => ({ partId, siteId })).reverse();
  expect(sitesSuffice(all('a', 'b', 'c', 'd'), candidates)).toBe(true);
  expect(sitesSuffice(all('a', 'b', 'c', 'd'), candidates.slice(1))).toBe(false);
});
