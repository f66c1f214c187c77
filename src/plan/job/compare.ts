import { QUANTILE_COUNT } from '../../domain/forecast.ts';

/** Equally probable outcomes of something in seconds, ascending; infinite beyond what history supports. */
export type Outcomes = ArrayLike<number>;

/** Equally probable outcomes that stand for a forecast: the middles of so many slices of equal probability. */
const LEVELS = 20;

/** The middle of each slice of a forecast by its percentiles 1 to 99, with a bound on each outcome. */
function middlesOf(quantileSeconds: readonly number[], bound: (seconds: number) => number): number[] {
  return Array.from({ length: LEVELS }, (_, level) => {
    const at = ((level + 0.5) * (QUANTILE_COUNT + 1)) / LEVELS - 1;
    const [below, above] = [Math.floor(at), Math.ceil(at)];
    return bound(((quantileSeconds[below] as number) + (quantileSeconds[above] as number)) / 2);
  });
}

/** How a job's wait and runtime are forecast, and what bounds them. */
export interface JobSpread {
  /** Percentiles 1 to 99 of the wait. */
  readonly waitQuantileSeconds: readonly number[];
  /** The same of the runtime; null where it is not known: the walltime stands for it then. */
  readonly runtimeQuantileSeconds: readonly number[] | null;
  readonly walltimeSeconds: number;
  /** Seconds from the moment of planning to the submission. */
  readonly leadSeconds: number;
  /** Seconds from the moment of planning before which it cannot start. */
  readonly earliestStartSeconds: number;
}

/** When a job starts, in seconds from the moment of planning. */
export function startOutcomes(job: JobSpread): Outcomes {
  const { leadSeconds, earliestStartSeconds } = job;
  return middlesOf(job.waitQuantileSeconds, (wait) => Math.max(leadSeconds + wait, earliestStartSeconds));
}

/**
 * When a job ends, in seconds from the moment of planning: wait and runtime taken to be independent, the runtime cut
 * off at the walltime.
 */
export function finishOutcomes(job: JobSpread): Outcomes {
  const { runtimeQuantileSeconds, walltimeSeconds } = job;
  const starts = startOutcomes(job);
  if (runtimeQuantileSeconds === null) return Array.from(starts, (start) => start + walltimeSeconds);
  const runs = middlesOf(runtimeQuantileSeconds, (runtime) => Math.min(runtime, walltimeSeconds));
  const finishes = new Float64Array(LEVELS * LEVELS);
  for (let i = 0; i < LEVELS; i++) {
    for (let k = 0; k < LEVELS; k++) finishes[i * LEVELS + k] = (starts[i] as number) + (runs[k] as number);
  }
  return finishes.sort();
}

/**
 * Probability that `a` comes before `b`, which are independent; half of the probability that both come at once counts.
 * What lies beyond what history supports comes last.
 */
export function probabilityBefore(a: Outcomes, b: Outcomes): number {
  let [below, through, pairs] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const outcome = a[i] as number;
    while (below < b.length && (b[below] as number) < outcome) below++;
    while (through < b.length && (b[through] as number) <= outcome) through++;
    pairs += b.length - (below + through) / 2;
  }
  return pairs / (a.length * b.length);
}

/** The outcome that is not exceeded with a probability, between the two next to it; null beyond what is supported. */
export function outcomeAt(outcomes: Outcomes, probability: number): number | null {
  const at = Math.min(outcomes.length - 1, Math.max(0, probability * outcomes.length - 0.5));
  const [below, above] = [outcomes[Math.floor(at)] as number, outcomes[Math.ceil(at)] as number];
  const between = at % 1 === 0 ? below : below + (above - below) * (at % 1);
  return Number.isFinite(between) ? between : null;
}
