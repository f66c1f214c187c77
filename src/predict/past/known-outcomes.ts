import type { JobRecord } from '../../domain/job.ts';
import type { Predictor } from '../predictor.ts';
import type { Actual, Quantity } from '../quantity.ts';
import { liveThrough } from './live-through.ts';
import type { Sight } from './watched-past.ts';

/** What was forecast of a job as it was submitted, and what it came out as. */
export interface KnownOutcome<Forecast> {
  readonly forecast: Forecast;
  readonly actual: Actual;
  /** As it is known by then. */
  readonly record: JobRecord;
}

export interface KnownOutcomesOptions {
  /** Whether the job of that index is asked about. */
  isAsked(job: number): boolean;
  onProgress?(doneJobs: number): void;
}

/**
 * Lets a predictor of any quantity live through a watched past: it is asked about jobs as they are submitted, told what
 * happens as it does, and each outcome comes with its forecast in the order in which outcomes become known. It ends
 * with the past; whoever has heard enough leaves.
 */
export function* knownOutcomes<Query, Forecast>(
  { queryOf, actualOf }: Pick<Quantity<Query, Forecast>, 'queryOf' | 'actualOf'>,
  predictor: Predictor<Query, Forecast>,
  past: Iterable<Sight>,
  { isAsked, onProgress }: KnownOutcomesOptions,
): Generator<KnownOutcome<Forecast>> {
  const made = new Map<string, Forecast>();
  for (const { sight, forecast } of liveThrough(predictor, past, isAsked, queryOf)) {
    if (sight.kind === 'snapshot') continue;
    if (sight.kind === 'submit') {
      if (forecast !== null) made.set(nameOf(sight.submission), forecast);
      if ((sight.job & 0xff) === 0) onProgress?.(sight.job);
      continue;
    }
    const actual = actualOf(sight);
    const own = actual && made.get(nameOf(actual));
    if (!actual || own === undefined || own === null) continue;
    made.delete(nameOf(actual));
    yield { forecast: own, actual, record: sight.record };
  }
}

function nameOf({ nativeId, submitAt }: { readonly nativeId: string; readonly submitAt: number }): string {
  return `${nativeId}@${submitAt}`;
}
