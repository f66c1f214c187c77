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

/** What became of the promises of sites of so many processors, one grid a seed. */
export function livedWith(sites: readonly number[], askSeconds: number, seeds: readonly number[]) {
  const lived = seeds.map((seed) => liveYoungGrid({ seed, sites, askSeconds }));
  const tallied = tally(lived.flatMap(({ decided }) => decided));
  const asked = lived.reduce((sum, one) => sum + one.asked, 0);
  const { count, promised, kept, twoErrors } = tallied;
  const shares = [promised, kept, twoErrors].map((share) => share.toFixed(3));
  console.log(`promised ${shares[0]}, kept ${shares[1]} +- ${shares[2]} of ${count}, ${asked} asked for`);
  return { asked, ...tallied };
}
