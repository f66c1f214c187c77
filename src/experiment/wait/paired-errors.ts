import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Absolute errors of one predictor, summed over blocks of jobs that follow on each other. */
export interface BlockErrors {
  readonly sums: readonly number[];
  readonly jobs: readonly number[];
}

/** A ratio of mean errors with the bounds between which 95 % of the resampled ones lie. */
export interface ErrorRatio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** Jobs of one block see the same queue, so their errors go together; blocks are taken to be independent. */
export const BLOCK_COUNT = 100;
const DRAWS = 2000;

/** Collects the errors of jobs by the block that they are in. */
export class BlockErrorSums {
  private readonly sums = new Array<number>(BLOCK_COUNT).fill(0);
  private readonly jobs = new Array<number>(BLOCK_COUNT).fill(0);

  /** @param place of the job within the scored range, from 0 up to and without 1 */
  add(place: number, absoluteError: number): void {
    if (!Number.isFinite(absoluteError)) return;
    const block = Math.min(BLOCK_COUNT - 1, Math.floor(place * BLOCK_COUNT));
    this.sums[block] = (this.sums[block] as number) + absoluteError;
    this.jobs[block] = (this.jobs[block] as number) + 1;
  }

  get errors(): BlockErrors {
    return { sums: [...this.sums], jobs: [...this.jobs] };
  }
}

/**
 * The mean absolute error of one predictor over that of another on the same jobs, by a paired block bootstrap (Künsch,
 * The jackknife and the bootstrap for general stationary observations, Annals of Statistics 17 (1989)): whole blocks
 * are drawn with replacement, the same for both. Blocks of which both did not answer the same number of jobs are left
 * out. Null where none is left, or the other never errs.
 */
export function pairedErrorRatio(one: BlockErrors, other: BlockErrors, seed: number): ErrorRatio | null {
  const blocks = [...one.jobs.keys()].filter((block) => one.jobs[block] !== 0 && one.jobs[block] === other.jobs[block]);
  const ratioOf = (drawn: readonly number[]) => totalOf(one.sums, drawn) / totalOf(other.sums, drawn);
  const ratio = ratioOf(blocks);
  if (!Number.isFinite(ratio)) return null;
  const random = xoroshiro128plus(seed);
  const ratios = Float64Array.from({ length: DRAWS }, () =>
    ratioOf(blocks.map(() => blocks[uniformInt(random, 0, blocks.length - 1)] as number)),
  ).sort();
  return {
    ratio,
    low: ratios[Math.floor(DRAWS * 0.025)] as number,
    high: ratios[Math.ceil(DRAWS * 0.975) - 1] as number,
  };
}

function totalOf(sums: readonly number[], blocks: readonly number[]): number {
  return blocks.reduce((total, block) => total + (sums[block] as number), 0);
}
