import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { EMBEDDING_DIMENSIONS } from './embedding-model.ts';

/**
 * A vector with fewer numbers, of length 1: each is the sum of all with signs drawn once, the same for every text, so
 * that texts which were alike stay about as alike. Source: Achlioptas, Database-friendly random projections, 2003.
 * @returns null where there is no direction, as for zeros and what is no number
 */
export function projected(vector: ArrayLike<number>): Float32Array | null {
  const signs = signsFor(vector.length);
  const made = new Float64Array(EMBEDDING_DIMENSIONS);
  for (let to = 0; to < EMBEDDING_DIMENSIONS; to++) {
    for (let from = 0; from < vector.length; from++) {
      made[to] = (made[to] as number) + (signs[to * vector.length + from] as number) * (vector[from] as number);
    }
  }
  const length = Math.hypot(...made);
  return Number.isFinite(length) && length > 0 ? Float32Array.from(made, (value) => value / length) : null;
}

function signsFor(dimensions: number): Int8Array {
  const known = drawn.get(dimensions);
  if (known) return known;
  const random = xoroshiro128plus(SEED);
  const signs = Int8Array.from({ length: EMBEDDING_DIMENSIONS * dimensions }, () => 2 * uniformInt(random, 0, 1) - 1);
  drawn.set(dimensions, signs);
  return signs;
}

/** By how many numbers there are; a model has one width. */
const drawn = new Map<number, Int8Array>();
const SEED = 1;
