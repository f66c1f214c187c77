import { keepClass } from '../domain/kept-classes.ts';
import { partitionPoint } from '../domain/partition-point.ts';

/**
 * A multiset of numbers kept in order: insert, remove and look up by rank.
 *
 * Method: sorted chunks of at most 512 values, so that an operation touches one chunk and the list of chunks; about 1
 * microsecond up to 100,000 values. Source: the square-root list of Bentley, Programming Pearls, 2nd edition, column
 * 13.
 */
export class OrderedSample {
  private chunks: Chunk[] = [];
  private count = 0;

  /** How many values are kept. */
  get size(): number {
    return this.count;
  }

  insert(value: number): void {
    this.count++;
    if (this.chunks.length === 0) this.chunks.push(newChunk());
    const index = Math.min(this.chunkFor(value), this.chunks.length - 1);
    const chunk = this.chunks[index] as Chunk;
    const position = lowerBound(chunk, value);
    if (chunk.length === chunk.values.length) widen(chunk);
    chunk.values.copyWithin(position + 1, position, chunk.length);
    chunk.values[position] = value;
    chunk.length++;
    if (chunk.length === CHUNK_CAPACITY) this.split(index, chunk);
  }

  /** Takes out one value equal to `value`. Throws when there is none. */
  remove(value: number): void {
    const index = this.chunkFor(value);
    const chunk = this.chunks[index];
    const position = chunk ? lowerBound(chunk, value) : 0;
    if (!chunk || position >= chunk.length || chunk.values[position] !== value) {
      throw new RangeError(`${value} is not in the sample`);
    }
    chunk.values.copyWithin(position, position + 1, chunk.length);
    chunk.length--;
    this.count--;
    if (chunk.length === 0) this.chunks.splice(index, 1);
  }

  /** The value of rank `rank`, counted from 1 for the smallest. Throws when there are fewer. */
  at(rank: number): number {
    let left = rank - 1;
    for (const chunk of this.chunks) {
      if (left < chunk.length) return chunk.values[left] as number;
      left -= chunk.length;
    }
    throw new RangeError(`rank ${rank} of a sample of ${this.count}`);
  }

  /** The values of several ranks, which must not decrease, in one pass; a null rank gives `Infinity`. */
  atAll(ranks: readonly (number | null)[]): number[] {
    let index = 0;
    let before = 0;
    return ranks.map((rank) => {
      if (rank === null) return Number.POSITIVE_INFINITY;
      let chunk = this.chunks[index];
      while (chunk && rank - before > chunk.length) {
        before += chunk.length;
        chunk = this.chunks[++index];
      }
      if (!chunk) throw new RangeError(`rank ${rank} of a sample of ${this.count}`);
      return chunk.values[rank - before - 1] as number;
    });
  }

  clear(): void {
    this.chunks = [];
    this.count = 0;
  }

  /** Index of the first chunk whose largest value is not below `value`; the number of chunks when there is none. */
  private chunkFor(value: number): number {
    return partitionPoint(this.chunks.length, (index) => {
      const chunk = this.chunks[index] as Chunk;
      return (chunk.values[chunk.length - 1] as number) < value;
    });
  }

  private split(index: number, chunk: Chunk): void {
    const half = CHUNK_CAPACITY / 2;
    const upper = newChunk(CHUNK_CAPACITY);
    upper.values.set(chunk.values.subarray(half, chunk.length));
    upper.length = chunk.length - half;
    chunk.length = half;
    this.chunks.splice(index + 1, 0, upper);
  }
}

interface Chunk {
  values: Float64Array;
  length: number;
}

const CHUNK_CAPACITY = 512;

/** Of many small samples each takes little. */
const FIRST_CAPACITY = 16;

function newChunk(capacity = FIRST_CAPACITY): Chunk {
  return { values: new Float64Array(capacity), length: 0 };
}

function widen(chunk: Chunk): void {
  const wider = new Float64Array(2 * chunk.values.length);
  wider.set(chunk.values);
  chunk.values = wider;
}

function lowerBound(chunk: Chunk, value: number): number {
  return partitionPoint(chunk.length, (index) => (chunk.values[index] as number) < value);
}

keepClass(OrderedSample);
