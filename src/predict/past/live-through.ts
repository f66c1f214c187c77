import type { Submission } from '../../domain/job.ts';
import type { Predictor } from '../predictor.ts';
import { tell } from './tell.ts';
import type { Sight } from './watched-past.ts';

/** A sight of a past, and what was forecast of it when it was the submission of a job that is asked about. */
export interface ForecastSight<Forecast> {
  readonly sight: Sight;
  readonly forecast: Forecast | null;
}

/**
 * Lets a predictor live through a watched past: it is asked about jobs as they are submitted, before it is told of
 * them, and told what happens as it does.
 * @param isAsked whether the job of that index is asked about
 * @param queryOf the question that a submission is
 */
export function* liveThrough<Query, Forecast>(
  predictor: Predictor<Query, Forecast>,
  past: Iterable<Sight>,
  isAsked: (job: number) => boolean,
  queryOf: (job: Submission) => Query,
): Generator<ForecastSight<Forecast>> {
  for (const sight of past) {
    const forecast =
      sight.kind === 'submit' && isAsked(sight.job)
        ? predictor.predict(queryOf(sight.submission), predictor.observed ? sight.stateBefore() : null, sight.at)
        : null;
    tell(predictor, sight);
    yield { sight, forecast };
  }
}
