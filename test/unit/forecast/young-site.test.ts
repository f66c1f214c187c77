import { expect, test } from 'vitest';
import { type DecidedPromise, YoungSite } from './young-site.ts';

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

test.each([16, 32])('a site of %i processors known for ten minutes keeps as many promises as it says', (processors) => {
  const decided = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((seed) => {
    const site = new YoungSite(seed, processors);
    site.live();
    return site.decided;
  });
  const { count, promised, kept, twoErrors } = tally(decided);
  console.log(`promised ${promised.toFixed(3)}, kept ${kept.toFixed(3)} ± ${twoErrors.toFixed(3)} of ${count}`);
  expect(count).toBeGreaterThan(150);
  expect(promised).toBeGreaterThan(0.5);
  expect(kept).toBeGreaterThan(promised - twoErrors);
});
