import { keepClass } from '../../domain/kept-classes.ts';
import { type NearTexts, nearestOf } from './like-texts.ts';

/** The last jobs of a site whose texts a model told apart, whoever handed them in, with what they came to. */
export class LikeMeanings {
  private readonly runs: { readonly embedding: Float32Array; readonly value: number }[] = [];

  learn(embedding: Float32Array, value: number): void {
    this.runs.push({ embedding, value });
    if (this.runs.length > KEPT) this.runs.shift();
  }

  /** Null before the first. O(jobs kept). */
  nearTo(embedding: Float32Array): NearTexts | null {
    return this.runs.length === 0 ? null : nearestOf(this.runs, (run) => cosine(run.embedding, embedding));
  }
}

/** Of vectors of length 1. */
function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] ?? 0);
  return sum;
}

const KEPT = 300;

keepClass(LikeMeanings);
