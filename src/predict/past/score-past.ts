import type { Snapshot } from '../../domain/snapshot.ts';
import type { Predictor } from '../predictor.ts';
import type { Quantity, Spread } from '../quantity.ts';
import { type SpreadScore, SpreadScorer } from '../spread-scorer.ts';
import { tell } from './tell.ts';
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
  for (const sight of past) {
    if (sight.kind === 'submit' && isScored(sight.job)) {
      const state: Snapshot | null = predictor.observed ? sight.stateBefore() : null;
      const forecast = predictor.predict(quantity.queryOf(sight.query), state, sight.at);
      said.set(nameOf(sight.query), quantity.spreadOf(forecast));
      onProgress?.(sight.job);
    }
    tell(predictor, sight);
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
