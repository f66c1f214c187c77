import { positiveRemainder } from '../domain/positive-remainder.ts';
import type { RandomStream } from './random.ts';

/**
 * The rigid-job model of Lublin & Feitelson (2003, J. Parallel and Distributed Computing 63(11)), with the parameters
 * that they fitted to all jobs, batch and interactive together. Sizes are two-stage log-uniform with powers of two
 * preferred, runtimes hyper-gamma in the natural logarithm with a mixture that depends on size, arrivals gamma in the
 * natural logarithm weighted by a daily cycle.
 */
export interface LublinShape {
  readonly processors: number;
  readonly runSeconds: number;
}

const SERIAL_SHARE = 0.244;
const POWER_OF_TWO_SHARE = 0.576;
const SMALL_SHARE = 0.86;
const SMALLEST_LOG2 = 0.8;
const MEDIAN_BELOW_LARGEST_LOG2 = 2.5;
const SHORT = { shape: 4.2, scale: 0.94 };
const LONG = { shape: 312, scale: 0.03 };
const SHORT_SHARE_SLOPE = -0.0054;
const SHORT_SHARE_INTERCEPT = 0.78;
const INTERARRIVAL = { shape: 10.2303, scale: 0.4871 };
/** Steady arrivals draw again beyond this, which is one pause in seventy. */
const STEADY_LONGEST_LOG_PAUSE = 9;
const CYCLE = { shape: 8.1737, scale: 3.9631 };

/** The day's half hours, from midnight. */
const BUCKETS = 48;
const BUCKET_SECONDS = 1800;
/** The model's day begins at half past five. */
const FIRST_BUCKET = 11;
const LONGEST_RUN_SECONDS = 5 * 86_400;

/** Size and runtime of one job for a machine of `machineProcessors`. */
export function drawShape(random: RandomStream, machineProcessors: number): LublinShape {
  const processors = drawProcessors(random, machineProcessors);
  const shortShare = Math.min(1, Math.max(0, SHORT_SHARE_SLOPE * processors + SHORT_SHARE_INTERCEPT));
  const { shape, scale } = random.uniform() < shortShare ? SHORT : LONG;
  const runSeconds = Math.min(LONGEST_RUN_SECONDS, Math.max(1, Math.round(Math.exp(random.gamma(shape, scale)))));
  return { processors, runSeconds };
}

function drawProcessors(random: RandomStream, machineProcessors: number): number {
  if (machineProcessors === 1 || random.uniform() < SERIAL_SHARE) return 1;
  const largest = Math.log2(machineProcessors);
  const smallest = Math.min(SMALLEST_LOG2, largest);
  const median = Math.max(smallest, largest - MEDIAN_BELOW_LARGEST_LOG2);
  const [low, high] = random.uniform() < SMALL_SHARE ? [smallest, median] : [median, largest];
  const log2 = low + (high - low) * random.uniform();
  const processors = random.uniform() < POWER_OF_TWO_SHARE ? 2 ** Math.round(log2) : Math.round(2 ** log2);
  return Math.min(machineProcessors, Math.max(1, processors));
}

/** Share of arrivals in each half hour of the day relative to the mean, from midnight; the mean is 1. */
const CYCLE_WEIGHTS = cycleWeights();

function cycleWeights(): readonly number[] {
  const weights = new Array<number>(BUCKETS).fill(0);
  for (let step = 0; step < BUCKETS; step++) {
    const x = FIRST_BUCKET + step + 0.5;
    weights[(FIRST_BUCKET + step) % BUCKETS] = x ** (CYCLE.shape - 1) * Math.exp(-x / CYCLE.scale);
  }
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / BUCKETS;
  return weights.map((weight) => weight / mean);
}

/**
 * Mean of the model's pauses, before they are scaled, over a stream's first `count`. Their tail is so heavy that
 * thousands of draws stay far from the distribution's own mean, so whoever wants a load must look at the draws.
 */
export function meanRawPause(random: RandomStream, count: number, steady: boolean): number {
  let sum = 0;
  for (let drawn = 0; drawn < count; drawn++) sum += drawRawPause(random, steady);
  return sum / count;
}

function drawRawPause(random: RandomStream, steady: boolean): number {
  for (;;) {
    const logarithm = random.gamma(INTERARRIVAL.shape, INTERARRIVAL.scale);
    if (!steady || logarithm <= STEADY_LONGEST_LOG_PAUSE) return Math.exp(logarithm);
  }
}

/**
 * Draws arrivals, denser by day than by night (midnight is a multiple of 86400), with the model's pauses times `scale`.
 */
export class LublinArrivals {
  constructor(
    private readonly random: RandomStream,
    private readonly scale: number,
    private at: number,
    private readonly steady: boolean,
  ) {}

  /** The moment of the next arrival, in whole seconds. */
  next(): number {
    this.advance(drawRawPause(this.random, this.steady) * this.scale);
    return Math.floor(this.at);
  }

  /** Lets `seconds` of average activity pass: few real ones by day, many by night. */
  private advance(seconds: number): void {
    for (let left = seconds; left > 0; ) {
      const bucket = Math.floor(this.at / BUCKET_SECONDS);
      const weight = CYCLE_WEIGHTS[positiveRemainder(bucket, BUCKETS)] as number;
      const bucketLeft = (bucket + 1) * BUCKET_SECONDS - this.at;
      if (left <= bucketLeft * weight) {
        this.at += left / weight;
        return;
      }
      left -= bucketLeft * weight;
      this.at = (bucket + 1) * BUCKET_SECONDS;
    }
  }
}
