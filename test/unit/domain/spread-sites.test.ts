import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spreadSites } from '../../../src/domain/spread-sites.ts';

const NOWHERE = new Map<string, number>();

function loadsOf(sites: readonly { siteId: string; cost: number }[], homes: ReadonlyMap<string, number>): number[] {
  const loads: number[] = [];
  for (const { siteId, cost } of sites) {
    const home = homes.get(siteId) as number;
    loads[home] = (loads[home] ?? 0) + cost;
  }
  return Array.from(loads, (load) => load ?? 0);
}

const several = fc
  .array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 40 })
  .map((costs) => costs.map((cost, i) => ({ siteId: `site-${i}`, cost })));

test('what is cheap stays on one thread, what is dear is spread over as many as there are', () => {
  const cheap = Array.from({ length: 4 }, (_, i) => ({ siteId: `site-${i}`, cost: 0.5 }));
  expect(new Set(spreadSites(cheap, 8, NOWHERE).values())).toEqual(new Set([0]));
  const dear = cheap.map((site) => ({ ...site, cost: 60 }));
  expect(loadsOf(dear, spreadSites(dear, 2, NOWHERE))).toEqual([120, 120]);
  expect(loadsOf(dear, spreadSites(dear, 8, NOWHERE))).toEqual([60, 60, 60, 60]);
});

test('every site has one thread of those there are, and none has half more than the mean and its costliest site', () => {
  fc.assert(
    fc.property(several, fc.integer({ min: 1, max: 5 }), (sites, most) => {
      const homes = spreadSites(sites, most, NOWHERE);
      expect([...homes.keys()].sort()).toEqual(sites.map(({ siteId }) => siteId).sort());
      const loads = loadsOf(sites, homes);
      expect(loads.length).toBeLessThanOrEqual(most);
      const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length;
      const costliest = Math.max(...sites.map(({ cost }) => cost));
      expect(Math.max(...loads)).toBeLessThanOrEqual(1.5 * mean + costliest + 1e-6);
    }),
  );
});

test('sites stay where they are while that is even enough; a new one goes where least is to be done', () => {
  fc.assert(
    fc.property(several, (sites) => {
      const homes = spreadSites(sites, 3, NOWHERE);
      expect(spreadSites(sites, 3, homes)).toEqual(homes);
    }),
  );
  const [a, b] = [
    { siteId: 'a', cost: 60 },
    { siteId: 'b', cost: 50 },
  ];
  const before = spreadSites([a, b], 2, NOWHERE);
  const after = spreadSites([a, b, { siteId: 'c', cost: 20 }], 2, before);
  expect(after).toEqual(new Map([...before, ['c', before.get('b') as number]]));
});

test('learned costs that turn out uneven move sites', () => {
  const sites = ['a', 'b', 'c', 'd'].map((siteId) => ({ siteId, cost: siteId < 'c' ? 90 : 10 }));
  const before = new Map([
    ['a', 0],
    ['b', 0],
    ['c', 1],
    ['d', 1],
  ]);
  const after = spreadSites(sites, 2, before);
  expect(loadsOf(sites, after).toSorted((a, b) => a - b)).toEqual([90, 110]);
});
