/**
 * The age of a user in slots, that is how long ago the last submission was, in half octaves: entry i of `AGE_STARTS` is
 * the first age of bin i, and the last bin has no end.
 */
export const AGE_STARTS: readonly number[] = [
  ...new Set(Array.from({ length: 32 }, (_, i) => Math.round(2 ** (i / 2)))),
];

/** The bin of an age, at least 1. */
export function ageBinOf(age: number): number {
  const near = Math.min(AGE_STARTS.length - 1, Math.max(0, Math.floor(2 * Math.log2(age)) - 1));
  let bin = near;
  while (bin + 1 < AGE_STARTS.length && (AGE_STARTS[bin + 1] as number) <= age) bin++;
  while (bin > 0 && (AGE_STARTS[bin] as number) > age) bin--;
  return bin;
}

/** The last age of a bin, infinite for the last one. */
export function lastAgeOf(bin: number): number {
  return (AGE_STARTS[bin + 1] ?? Number.POSITIVE_INFINITY) - 1;
}
