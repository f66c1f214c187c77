import { median } from 'simple-statistics';
import { keepClass } from '../../domain/kept-classes.ts';
import { alikeness, type ReadText } from './read-text.ts';

/** The earlier texts that are most like one. */
export interface NearTexts {
  /** Of the five nearest, and of the nearest alone, the newer of two that are as near. */
  readonly median: number;
  readonly last: number;
  /** Of the nearest, within 0 and 1. */
  readonly alikeness: number;
}

/** The last texts of a user with what their jobs came to. */
export class LikeTexts {
  private readonly runs: { readonly sketch: Uint32Array; readonly value: number }[] = [];

  learn({ sketch }: ReadText, value: number): void {
    this.runs.push({ sketch, value });
    if (this.runs.length > KEPT) this.runs.shift();
  }

  /** Null before the first. O(texts kept). */
  nearTo(sketch: Uint32Array): NearTexts | null {
    if (this.runs.length === 0) return null;
    return nearestOf(this.runs, (run) => alikeness(run.sketch, sketch));
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
const NEAREST = 5;
const NEWER = 1e-4;

keepClass(LikeTexts);
