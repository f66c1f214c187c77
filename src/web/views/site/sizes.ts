/** Walltimes whose waits are shown, in seconds. */
export const WALLTIMES = [600, 3600, 14_400, 43_200, 86_400] as const;

const MOST_SIZES = 7;

/**
 * Sizes whose waits are shown: 1, then ever larger powers of two, the largest job that the site holds last.
 * @param processors of the site
 */
export function sizesOf(processors: number): number[] {
  const most = Math.max(1, processors);
  const powers = Array.from({ length: Math.floor(Math.log2(most)) + 1 }, (_, power) => 2 ** power);
  const step = Math.max(1, Math.ceil(powers.length / (MOST_SIZES - 1)));
  const shown = powers.filter((_, index) => index % step === 0);
  return [...new Set([...shown, most])];
}
