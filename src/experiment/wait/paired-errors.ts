import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A ratio of mean errors with the bounds between which 95 % of the resampled ones lie. */
export interface ErrorRatio {
  readonly ratio: number;
  /** Both bounds are NaN where the other one errs in so few blocks that a draw may miss them all. */
  readonly low: number;
  readonly high: number;
  /** Jobs that both answered, on which it rests. */
  readonly jobs: number;
}

/** Jobs of one block see the same queue, so their errors go together; blocks are taken to be independent. */
export const BLOCK_COUNT = 100;
const DRAWS = 2000;

/** The errors of two predictors on the jobs of one block that both answered, each summed. */
interface BlockSums {
  readonly one: number;
  readonly other: number;
  readonly jobs: number;
}

/**
 * The mean absolute error of one predictor over that of another on the jobs that both answered, by a paired block
 * bootstrap (Künsch, The jackknife and the bootstrap for general stationary observations, Annals of Statistics 17
 * (1989)): whole blocks are drawn with replacement, the same for both. Null where both answered no job, or the other
 * never errs.
 * @param one absolute errors of all jobs of a range, in their order; not finite where there was no answer
 * @param other the same of the other one, of as many jobs
 */
export function pairedErrorRatio(one: Float64Array, other: Float64Array, seed: number): ErrorRatio | null {
  const blocks = blocksOfBoth(one, other);
  const ratio = ratioOf(blocks);
  if (!Number.isFinite(ratio)) return null;
  const random = xoroshiro128plus(seed);
  const ratios = Float64Array.from({ length: DRAWS }, () =>
    ratioOf(blocks.map(() => blocks[uniformInt(random, 0, blocks.length - 1)] as BlockSums)),
  ).sort();
  const low = ratios[Math.floor(DRAWS * 0.025)] as number;
  const high = ratios[Math.ceil(DRAWS * 0.975) - 1] as number;
  return {
    ratio,
    ...(Number.isFinite(high) ? { low, high } : { low: Number.NaN, high: Number.NaN }),
    jobs: blocks.reduce((sum, { jobs }) => sum + jobs, 0),
  };
}

/** The blocks of which both answered a job. */
function blocksOfBoth(one: Float64Array, other: Float64Array): BlockSums[] {
  const blocks = Array.from({ length: BLOCK_COUNT }, () => ({ one: 0, other: 0, jobs: 0 }));
  for (const [index, error] of one.entries()) {
    const otherError = other[index] as number;
    if (!Number.isFinite(error) || !Number.isFinite(otherError)) continue;
    const block = blocks[Math.floor((index / one.length) * BLOCK_COUNT)] as (typeof blocks)[number];
    block.one += error;
    block.other += otherError;
    block.jobs++;
  }
  return blocks.filter(({ jobs }) => jobs > 0);
}

function ratioOf(blocks: readonly BlockSums[]): number {
  const sumOf = (name: 'one' | 'other') => blocks.reduce((total, block) => total + block[name], 0);
  return sumOf('one') / sumOf('other');
}
