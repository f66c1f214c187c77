import { QUANTILE_COUNT } from '../../domain/forecast.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { isotonic } from '../../stats/isotonic.ts';

/**
 * Keeps percentiles honest in every class of jobs: for each of the percentiles 1..99 the level that has to be asked of
 * a spread so that in the long run so many waits of each class do not exceed the bound. A job belongs to several
 * classes at once; what each of them has learned is added to the level. A wait that exceeds its bound raises the level
 * by a little in all classes of its job, one that does not lowers it. So in each class the share of waits within the
 * bounds differs from the percentile by no more than the way its part has gone over the step and its waits.
 *
 * A wait that equals several bounds, as where many start at once, counts for the part of that stretch which a level
 * covers, so that a level is not driven down by a bound that cannot be lower.
 *
 * Source: Gibbs and Candes, Adaptive conformal inference under distribution shift, NeurIPS 2021, equation 2, for one
 * level; Bastani et al., Practical adversarial multivalid conformal prediction, NeurIPS 2022, for groups that overlap;
 * Czado, Gneiting and Held, Predictive model assessment for count data, Biometrics 65 (2009), for ties.
 */
export class ClassLevels {
  /** What each class has learned: what is added to the levels of its jobs. */
  private readonly added = new Map<string, Float64Array>();

  /** @param step by how much a miss counts in each class, within (0, 1) */
  constructor(private readonly step: number) {}

  /** The levels to ask of a spread for the percentiles 1..99 of a job of these classes, never decreasing. */
  of(classes: readonly string[]): Float64Array {
    const levels = Float64Array.from({ length: QUANTILE_COUNT }, (_, i) => percentOf(i));
    for (const name of classes) {
      const added = this.added.get(name);
      if (!added) continue;
      for (let i = 0; i < QUANTILE_COUNT; i++) levels[i] = (levels[i] as number) + (added[i] as number);
    }
    return isotonic(levels).map((level) => Math.min(1 - OUTERMOST, Math.max(OUTERMOST, level)));
  }

  /**
   * Takes in what a job of these classes came out as.
   * @param bounds that were given of the percentiles 1..99, never decreasing
   */
  learn(classes: readonly string[], bounds: ArrayLike<number>, wait: number): void {
    let first = 0;
    while (first < QUANTILE_COUNT && (bounds[first] as number) < wait) first++;
    let end = first;
    while (end < QUANTILE_COUNT && bounds[end] === wait) end++;
    for (const name of classes) {
      const added = this.added.get(name) ?? new Float64Array(QUANTILE_COUNT);
      this.added.set(name, added);
      for (let i = 0; i < QUANTILE_COUNT; i++) {
        const within = i < first ? 0 : i < end ? (i - first + 1) / (end - first + 1) : 1;
        const moved = (added[i] as number) + this.step * (percentOf(i) - within);
        added[i] = Math.min(1 - percentOf(i), Math.max(-percentOf(i), moved));
      }
    }
  }
}

function percentOf(index: number): number {
  return (index + 1) / (QUANTILE_COUNT + 1);
}

/** The ends of a spread are single waits of long ago; no level reaches them. */
const OUTERMOST = 0.006;

keepClass(ClassLevels);
