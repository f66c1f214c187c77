/**
 * True for the long versions of the fault and live tests, with THOROUGH=1 as in `npm run faults`; everywhere else they
 * are lean.
 */
export const thorough = process.env.THOROUGH === '1';

/** The seeds of a test's runs: 1, 2, ...; or the one in SEED, to replay a run that failed. */
export function seeds(lean: number, many: number): number[] {
  const given = process.env.SEED;
  return given ? [Number(given)] : Array.from({ length: thorough ? many : lean }, (_, n) => n + 1);
}
