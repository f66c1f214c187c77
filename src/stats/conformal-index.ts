/**
 * Index of the value of a rising sample that the next one of the same kind does not exceed with so much probability;
 * the first or last one where the sample is too small to tell.
 * Source: Vovk, Gammerman and Shafer, Algorithmic learning in a random world, 2005, section 2.2.
 * @param probability may lie a little outside (0, 1)
 * @param size of the sample, at least 1
 */
export function conformalIndex(probability: number, size: number): number {
  const rank = Math.ceil(probability * (size + 1) - ROUNDING);
  return Math.min(size, Math.max(1, rank)) - 1;
}

const ROUNDING = 1e-9;
