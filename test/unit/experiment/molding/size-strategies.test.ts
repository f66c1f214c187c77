import { expect, test } from 'vitest';
import { ExpectedRuntimes } from '../../../../src/experiment/look-ahead/expected-runtimes.ts';
import { type AheadTerms, aheadStrategy } from '../../../../src/experiment/molding/size-strategies.ts';
import { RequestedWalltime } from '../../../../src/predict/baseline/requested.ts';
import { NOBODY } from '../../../../src/sim/job-source.ts';
import { POLICIES } from '../../../../src/sim/policy.ts';
import { RandomStream } from '../../../../src/sim/random.ts';
import { ReplayedSite } from '../../../../src/sim/replayed-site.ts';

const EMPTY = { nextSubmitAt: Number.POSITIVE_INFINITY, take: () => null, cardOf: () => NOBODY };

/** A full machine that is free in 100 s, with so many jobs of 10 s in its queue. */
function busySite(waitingJobs: number): ReplayedSite {
  const site = new ReplayedSite(EMPTY, { processors: 16, policy: POLICIES.easy });
  const hand = (processors: number, runSeconds: number) =>
    site.submit({ submitAt: 0, processors, runSeconds, walltimeSeconds: runSeconds });
  hand(16, 100);
  for (let i = 0; i < waitingJobs; i++) hand(1, 10);
  site.advanceTo(0);
  return site;
}

function chosen(waitingJobs: number, terms: AheadTerms): number {
  const option = (processors: number, runSeconds: number) => {
    return { processors, walltimeSeconds: runSeconds, runQuantileSeconds: new Array<number>(99).fill(runSeconds) };
  };
  const strategy = aheadStrategy(POLICIES.easy, new ExpectedRuntimes(new RequestedWalltime(), 1, 1), terms);
  const question = { ...NOBODY, at: 0, site: busySite(waitingJobs), random: new RandomStream(1) };
  return strategy([option(2, 1000), option(16, 300)], question).processors;
}

test('a planner that thinks of its own job takes what ends first, one that thinks of the others what delays them less', () => {
  const selfish = { scoredAs: 'percentiles', othersWeight: 0 } as const;
  expect(chosen(10, selfish)).toBe(16);
  expect(chosen(10, { ...selfish, othersWeight: 1 })).toBe(2);
  expect(chosen(0, { ...selfish, othersWeight: 1 })).toBe(16);
  expect(chosen(10, { ...selfish, scoredAs: 'ranges' })).toBe(16);
});
