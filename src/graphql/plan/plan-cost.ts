import { MOST_SIZES } from '../../domain/job-sizes.ts';
import { sizesInRange } from '../../plan/job/sizes.ts';
import type { SizesInput } from '../shared/choices.input.ts';

/** What a plan costs: the forecasts of every site, for each size that is thought of. */
export function planCost({ args, childComplexity }: { args: PlanArguments; childComplexity: number }): number {
  return FORECASTS_COST * sizesAsked(args.input?.sizes) + childComplexity;
}

interface PlanArguments {
  readonly input?: { readonly sizes?: Partial<SizesInput> | null };
}

/** At most so many, whatever is asked for: more are refused, or not compared. */
function sizesAsked(sizes: Partial<SizesInput> | null | undefined): number {
  if (!sizes) return 1;
  const { list, from, to, steps = 'POWERS_OF_TWO', fromHistory = false } = sizes;
  const isRange = typeof from === 'number' && typeof to === 'number' && from > 0;
  const range = isRange ? sizesInRange(from, to, steps, MOST_SIZES).length : 0;
  return fromHistory ? MOST_SIZES : Math.min(MOST_SIZES, 1 + (list?.length ?? 0) + range);
}

const FORECASTS_COST = 50;

/** What it costs to look for the submission time of each of several jobs at each of their sites. */
export function trajectoriesCost(works: readonly { readonly siteIds?: readonly string[] | null }[]): number {
  const trajectories = works.reduce((sum, { siteIds }) => sum + (siteIds?.length || USUAL_SITES), 0);
  return Math.min(MOST_FOR_TRAJECTORIES, 50 + TRAJECTORY_COST * trajectories);
}

const TRAJECTORY_COST = 60;
const USUAL_SITES = 10;
/** The largest single request stays possible. */
const MOST_FOR_TRAJECTORIES = 4000;
