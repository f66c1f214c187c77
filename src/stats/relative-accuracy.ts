/**
 * 1 - |actual - said| / the larger of the two: 1 of what came true, 0 of what has nothing in common with it. Amounts
 * below one unit count as one unit. wyatt-prionn, section 2.
 */
export function relativeAccuracy(said: number, actual: number): number {
  return 1 - Math.abs(said - actual) / Math.max(1, said, actual);
}
