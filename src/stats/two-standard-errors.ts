/**
 * Two standard errors of the share of so many trials that came true, which are taken to be independent. Where all did,
 * or none, that would be 0, as if it were certain: then it is how far off the true share is at most in 95 % of cases,
 * three over the trials (Hanley and Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 249 (1983)).
 */
export function twoStandardErrors(share: number, trials: number): number {
  if (share === 0 || share === 1) return Math.min(1, 3 / trials);
  return 2 * Math.sqrt((share * (1 - share)) / trials);
}
