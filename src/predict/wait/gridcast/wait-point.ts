/**
 * The wait to say in one number, in whole seconds: halfway, in square roots, between the median of the trees and the
 * percentile 50. The latter is moved so that levels come true in each class of jobs, and errs more for it.
 * @param treesRoot square root of the trees' median
 * @param medianSeconds the percentile 50
 */
export function waitPointSeconds(treesRoot: number, medianSeconds: number): number {
  return Math.round(((treesRoot + Math.sqrt(medianSeconds)) / 2) ** 2);
}
