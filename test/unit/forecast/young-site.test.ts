import { expect, test } from 'vitest';
import { liveYoungGrid } from './young-grid.ts';
import type { DecidedPromise } from './young-site.ts';

/** Promised and kept shares, and two standard errors of the second if each were kept with what was promised. */
function tally(promises: readonly DecidedPromise[]) {
  const sum = (of: (promise: DecidedPromise) => number) => promises.reduce((total, one) => total + of(one), 0);
  const count = promises.length;
  const variance = sum(({ probability }) => probability * (1 - probability));
  return {
    count,
    promised: sum(({ probability }) => probability) / count,
    kept: sum(({ kept }) => Number(kept)) / count,
    twoErrors: (2 * Math.sqrt(variance)) / count,
  };
}

function livedWith(sites: readonly number[], askSeconds: number, seeds: readonly number[]) {
  const lived = seeds.map((seed) => liveYoungGrid({ seed, sites, askSeconds }));
  const tallied = tally(lived.flatMap(({ decided }) => decided));
  const asked = lived.reduce((sum, one) => sum + one.asked, 0);
  const { count, promised, kept, twoErrors } = tallied;
  const shares = [promised, kept, twoErrors].map((share) => share.toFixed(3));
  console.log(`promised ${shares[0]}, kept ${shares[1]} +- ${shares[2]} of ${count}, ${asked} asked for`);
  return { asked, ...tallied };
}

test.each([16, 32])('a site of %i processors known for ten minutes keeps as many promises as it says', {
  timeout: 60_000,
}, (processors) => {
  const { count, promised, kept, twoErrors } = livedWith([processors], 42, [1, 2, 3, 4, 5, 6, 7, 8]);
  expect(count).toBeGreaterThan(150);
  expect(promised).toBeGreaterThan(0.5);
  expect(kept).toBeGreaterThan(promised - twoErrors);
});

test('five such sites keep as many as they say, though the one that promises too much is asked most', {
  timeout: 60_000,
}, () => {
  const { asked, count, promised, kept, twoErrors } = livedWith([16, 32, 16, 16, 16], 11, [1, 2, 4]);
  expect(count).toBeGreaterThan(asked / 2);
  expect(promised).toBeGreaterThan(0.5);
  expect(kept).toBeGreaterThan(promised - twoErrors);
});
