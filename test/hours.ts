/** True in `npm run faults`, which repeats nightly tests for hours; everywhere else they are repeated a few times. */
export const forHours = process.env.HOURS === '1';

/** The seeds of a test's runs, from the first to the last; or the one in SEED, to replay a run that failed. */
export function seeds(first: number, last: number): number[] {
  const given = process.env.SEED;
  return given ? [Number(given)] : Array.from({ length: last - first + 1 }, (_, n) => first + n);
}
