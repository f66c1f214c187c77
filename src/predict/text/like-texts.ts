import { median } from 'simple-statistics';
import { keepClass } from '../../domain/kept-classes.ts';
import { alikeness, type ReadText, SKETCH } from './read-text.ts';

/** The earlier texts that are most like one. */
export interface NearTexts {
  /** Of the five nearest, and of the nearest alone, the newer of two that are as near. */
  readonly median: number;
  readonly last: number;
  /** Of the nearest, within 0 and 1. */
  readonly alikeness: number;
}

/** The last texts of a user with what their jobs came to, in columns: an object for each took five times as much. */
export class LikeTexts {
  /** One after the other, the oldest first. */
  private sketches = new Uint32Array(0);
  private readonly values: number[] = [];

  learn({ sketch }: ReadText, value: number): void {
    const { values } = this;
    if (values.length === KEPT) {
      values.shift();
      this.sketches.copyWithin(0, SKETCH);
    } else if (this.sketches.length === values.length * SKETCH) this.lengthen();
    this.sketches.set(sketch, values.length * SKETCH);
    values.push(value);
  }

  /** Null before the first. O(texts kept). */
  nearTo(sketch: Uint32Array): NearTexts | null {
    if (this.values.length === 0) return null;
    const runs = this.values.map((value, i) => ({ value, begin: i * SKETCH }));
    return nearestOf(runs, ({ begin }) => alikeness(this.sketches, sketch, begin));
  }

  private lengthen(): void {
    const longer = new Uint32Array(SKETCH * Math.min(KEPT, Math.max(FIRST_KEPT, 2 * this.values.length)));
    longer.set(this.sketches);
    this.sketches = longer;
  }
}

/** Of runs, the oldest first and at least one, those that are most alike. */
export function nearestOf<Run extends { readonly value: number }>(
  runs: readonly Run[],
  alikenessOf: (run: Run) => number,
): NearTexts {
  const ranked = runs
    .map((run, age) => ({ value: run.value, near: alikenessOf(run) + age * NEWER }))
    .sort((a, b) => b.near - a.near)
    .slice(0, NEAREST);
  const [{ value, near } = { value: Number.NaN, near: 0 }] = ranked;
  return { median: median(ranked.map((one) => one.value)), last: value, alikeness: Math.min(1, near) };
}

const KEPT = 100;
/** Room at first. */
const FIRST_KEPT = 4;
const NEAREST = 5;
const NEWER = 1e-4;

keepClass(LikeTexts);
