import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/**
 * A random subset of 0 .. count - 1 in rising order, each member drawn with the same chance; never empty.
 * @param share chance of a member, within (0, 1]
 */
export function randomSubset(random: RandomGenerator, count: number, share: number): Int32Array {
  const chosen: number[] = [];
  for (let i = 0; i < count; i++) if (uniformFloat64(random) < share) chosen.push(i);
  return Int32Array.from(chosen.length > 0 ? chosen : [0]);
}
