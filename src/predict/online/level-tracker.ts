import { QUANTILE_COUNT } from '../../domain/forecast.ts';
import { keepClass } from '../../domain/kept-classes.ts';
import { conformalIndex } from '../../stats/conformal-index.ts';
import { isotonic } from '../../stats/isotonic.ts';

/**
 * Keeps percentiles honest: for each of the percentiles 1..99 the level that has to be asked of a spread so that in the
 * long run so many waits do not exceed the bound. A wait that exceeds its bound raises the level by a little, one that
 * does not lowers it, so that the share of waits within the bounds comes ever closer to the percentile, whatever the
 * waits do and however late they are known. Bounds must not cross, so they are taken at the nearest levels that never
 * fall; each level goes on learning by the bound that was given.
 *
 * Source: Gibbs and Candes, Adaptive conformal inference under distribution shift, NeurIPS 2021, equation 2, for one
 * level.
 */
export class LevelTracker {
  private readonly levels = Float64Array.from({ length: QUANTILE_COUNT }, (_, i) => (i + 1) / 100);
  /** Of what was learned last; null until it is asked for. */
  private rising: Float64Array | null = null;

  /** @param step by how much a miss counts, within (0, 1) */
  constructor(private readonly step: number) {}

  /** Takes in what a job came out as whose bounds were given, both on the scale of the spread. */
  learn(bounds: ArrayLike<number>, wait: number): void {
    this.rising = null;
    for (let i = 0; i < QUANTILE_COUNT; i++) {
      const isWithin = wait <= (bounds[i] as number);
      const moved = (this.levels[i] as number) + this.step * ((i + 1) / 100 - (isWithin ? 1 : 0));
      this.levels[i] = Math.min(1 + SLACK, Math.max(-SLACK, moved));
    }
  }

  /** The levels to ask of a spread for the percentiles 1..99, never decreasing; a little below 0 or above 1 at most. */
  current(): Float64Array {
    this.rising ??= isotonic(this.levels);
    return this.rising;
  }

  /**
   * Bounds of the percentiles 1..99, never decreasing.
   * @param spread outcomes that are held equally likely, rising, at least one
   */
  boundsOf(spread: Float64Array): Float64Array {
    return this.current().map((level) => spread[conformalIndex(level, spread.length)] as number);
  }
}

/** How far beyond 0 and 1 a level may be driven, so that it comes back soon. */
const SLACK = 0.02;

keepClass(LevelTracker);
