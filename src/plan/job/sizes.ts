import type { SizeChoice } from '../../domain/job-sizes.ts';
import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';

/** Which sizes of a range are meant. */
export const SIZE_STEPS = ['POWERS_OF_TWO', 'ALL'] as const;
export type SizeSteps = (typeof SIZE_STEPS)[number];

/**
 * Sizes of a range, ascending, both ends included where they are among them.
 * @param most no more than one beyond that many are told, so that a huge range costs nothing
 */
export function sizesInRange(from: number, to: number, steps: SizeSteps, most: number): number[] {
  const sizes: number[] = [];
  const first = steps === 'ALL' ? from : 2 ** Math.ceil(Math.log2(from));
  for (let size = first; size <= to && sizes.length <= most; size = steps === 'ALL' ? size + 1 : size * 2) {
    sizes.push(size);
  }
  return sizes;
}

/** Whether a request is to be compared over several sizes. */
export function isMolded({ sizes }: { readonly sizes?: SizeChoice | null }): boolean {
  return (sizes ?? null) !== null;
}

/**
 * The sizes that a request may be run at at a site, ascending but for the stated one, which comes first; of more than
 * are wanted those nearest to that one, by their ratio.
 * @param most of them that are kept
 */
export function sizesOf(
  { processors: stated, sizes = null }: PlanRequest,
  { ownSizes = [] }: CandidateSite,
  most: number,
): { kept: number[]; cut: number[] } {
  const own = sizes?.fromHistory ? ownSizes.map(({ processors }) => processors) : [];
  const others = [...new Set([...(sizes?.processors ?? []), ...own])].filter((size) => size !== stated);
  const away = (size: number) => Math.abs(Math.log(size / stated));
  const nearest = others.sort((a, b) => away(a) - away(b) || a - b);
  const ascending = (some: number[]) => some.sort((a, b) => a - b);
  return { kept: [stated, ...ascending(nearest.slice(0, most - 1))], cut: ascending(nearest.slice(most - 1)) };
}
