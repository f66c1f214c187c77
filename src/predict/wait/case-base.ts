import type { JobRequest } from '../../domain/job.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { NUMERIC_FEATURE_COUNT } from './submission-features.ts';

/** Weights of the features: user, queue, then the numeric ones. */
export const WEIGHT_COUNT = 2 + NUMERIC_FEATURE_COUNT;

/** A job whose wait, or runtime, is known, with what it looked like when it was submitted. */
export interface KnownCase {
  readonly job: JobRequest;
  readonly features: Float64Array;
  /** Its wait, or its runtime. */
  readonly seconds: number;
}

/** A case and its distance to the job asked about. */
export interface Neighbour {
  readonly index: number;
  readonly distance: number;
}

/**
 * The most recent cases in typed columns, with the weighted heterogeneous Euclidean-overlap metric: nominal features
 * differ by 0 or 1, numeric ones by their difference over the range seen, squared, weighted and averaged. Source:
 * Wilson and Martinez, Improved heterogeneous distance functions, JAIR 6 (1997), section 2.3.
 */
export class CaseBase {
  private readonly numeric: Float64Array;
  private readonly users: Int32Array;
  private readonly queues: Int32Array;
  private readonly outcomes: Float64Array;
  private readonly low = new Float64Array(NUMERIC_FEATURE_COUNT).fill(Number.POSITIVE_INFINITY);
  private readonly high = new Float64Array(NUMERIC_FEATURE_COUNT).fill(Number.NEGATIVE_INFINITY);
  private readonly names = new Map<string, number>();
  private next = 0;
  private count = 0;

  constructor(readonly capacity: number) {
    this.numeric = new Float64Array(capacity * NUMERIC_FEATURE_COUNT);
    this.users = new Int32Array(capacity);
    this.queues = new Int32Array(capacity);
    this.outcomes = new Float64Array(capacity);
  }

  get size(): number {
    return this.count;
  }

  /** Adds a case; the oldest one goes when the base is full. */
  add({ job, features, seconds }: KnownCase): void {
    const row = this.next;
    this.numeric.set(features, row * NUMERIC_FEATURE_COUNT);
    this.users[row] = this.numberOf(job.user, 'user');
    this.queues[row] = this.numberOf(job.queue, 'queue');
    this.outcomes[row] = seconds;
    features.forEach((value, i) => {
      this.low[i] = Math.min(this.low[i] as number, value);
      this.high[i] = Math.max(this.high[i] as number, value);
    });
    this.next = (this.next + 1) % this.capacity;
    this.count = Math.min(this.count + 1, this.capacity);
  }

  /** The wait, or runtime, of a case. */
  secondsOf(index: number): number {
    return this.outcomes[index] as number;
  }

  /** Numeric features of a case or a job, over the ranges seen. */
  scaled(features: ArrayLike<number>, offset = 0): Float64Array {
    return Float64Array.from({ length: NUMERIC_FEATURE_COUNT }, (_, i) => {
      const range = (this.high[i] as number) - (this.low[i] as number);
      return range > 0 ? ((features[offset + i] as number) - (this.low[i] as number)) / range : 0;
    });
  }

  scaledAt(index: number): Float64Array {
    return this.scaled(this.numeric, index * NUMERIC_FEATURE_COUNT);
  }

  /** The nearest cases among those `isEligible` lets pass, nearest first. O(n). */
  nearest(
    job: JobRequest,
    features: Float64Array,
    weights: Float64Array,
    neighbours: number,
    isEligible: (index: number) => boolean = () => true,
  ): Neighbour[] {
    const scale = this.scales(weights);
    const user = this.knownNumberOf(job.user, 'user');
    const queue = this.knownNumberOf(job.queue, 'queue');
    const found: Neighbour[] = [];
    let farthest = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.count; index++) {
      let square =
        (this.users[index] === user ? 0 : (weights[0] as number)) +
        (this.queues[index] === queue ? 0 : (weights[1] as number));
      const offset = index * NUMERIC_FEATURE_COUNT;
      for (let i = 0; i < NUMERIC_FEATURE_COUNT && square < farthest; i++) {
        const difference = (features[i] as number) - (this.numeric[offset + i] as number);
        square += (scale[i] as number) * difference * difference;
      }
      if (square >= farthest || !isEligible(index)) continue;
      insertSorted(found, { index, distance: square }, neighbours);
      if (found.length === neighbours) farthest = (found.at(-1) as Neighbour).distance;
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
    return found.map(({ index, distance }) => ({ index, distance: Math.sqrt(distance / total) }));
  }

  private scales(weights: Float64Array): Float64Array {
    return Float64Array.from({ length: NUMERIC_FEATURE_COUNT }, (_, i) => {
      const range = (this.high[i] as number) - (this.low[i] as number);
      return range > 0 ? (weights[i + 2] as number) / (range * range) : 0;
    });
  }

  private numberOf(name: string | null, kind: string): number {
    if (name === null) return -1;
    const key = `${kind} ${name}`;
    const known = this.names.get(key) ?? this.names.size;
    this.names.set(key, known);
    return known;
  }

  /** Of a name that no case has, one that is nobody's: what is asked about is not kept. */
  private knownNumberOf(name: string | null, kind: string): number {
    return name === null ? -1 : (this.names.get(`${kind} ${name}`) ?? -2);
  }
}

function insertSorted(found: Neighbour[], neighbour: Neighbour, most: number): void {
  let position = found.length;
  while (position > 0 && (found[position - 1] as Neighbour).distance > neighbour.distance) position--;
  found.splice(position, 0, neighbour);
  if (found.length > most) found.pop();
}

keepClass(CaseBase);
