import type { Predictor } from '../predictor.ts';
import type { Quantity, Spread } from '../quantity.ts';
import { type SpreadScore, SpreadScorer } from '../spread-scorer.ts';
import { liveThrough } from './live-through.ts';
import type { Sight } from './watched-past.ts';

export interface ScorePastOptions {
  /** Whether the job of that index is asked about. */
  isScored(job: number): boolean;
  onProgress?(doneJobs: number): void;
}

/**
 * Lets a predictor of any quantity live through a watched past: it is asked about jobs as they are submitted, told what
 * happens as it does, and scored as what it was asked about becomes known. It ends with the past.
 */
export function scorePast<Query, Forecast>(
  quantity: Quantity<Query, Forecast>,
  predictor: Predictor<Query, Forecast>,
  past: Iterable<Sight>,
  { isScored, onProgress }: ScorePastOptions,
): SpreadScore {
  const scorer = new SpreadScorer();
  const said = new Map<string, Spread>();
  for (const { sight, forecast } of liveThrough(predictor, past, isScored, quantity.queryOf)) {
    if (sight.kind === 'submit') {
      if (forecast !== null) said.set(nameOf(sight.submission), quantity.spreadOf(forecast));
      if ((sight.job & 0xff) === 0) onProgress?.(sight.job);
    }
    const actual = quantity.actualOf(sight);
    const spread = actual && said.get(nameOf(actual));
    if (!actual || !spread) continue;
    said.delete(nameOf(actual));
    scorer.add(spread, actual.value);
  }
  return scorer.score();
}

function nameOf({ nativeId, submitAt }: { readonly nativeId: string; readonly submitAt: number }): string {
  return `${nativeId}@${submitAt}`;
}
