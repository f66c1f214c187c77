import type { ExecutionRow } from '../../store/executions.ts';
import type { ForecastRow } from '../../store/plans.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import type { NewScore } from '../../store/scores.ts';

/**
 * Scores every forecast of an execution's plan against its real wait, and the promise against its outcome. A job that
 * never started has no wait to compare with; a cancelled promise was never put to the test. The predictors themselves
 * learn from the site's records, which the observation has written.
 */
export function scoresOf(
  execution: ExecutionRow,
  reservation: ReservationRow | null,
  forecasts: readonly ForecastRow[],
  now: number,
): NewScore[] {
  const { id: executionId, siteId, startedAt, nativeSubmittedAt } = execution;
  if (siteId === null) return [];
  const common = { siteId, executionId, scoredAt: now };
  const scores: NewScore[] = [];
  if (startedAt !== null && nativeSubmittedAt !== null) {
    const actual = startedAt - nativeSubmittedAt;
    for (const { id: forecastId, predictor, pointSeconds, quantileSeconds } of forecasts) {
      const bound = quantileSeconds[94];
      if (pointSeconds !== null) {
        scores.push({
          ...common,
          forecastId,
          predictor,
          metric: 'WAIT_POINT_SECONDS',
          predicted: pointSeconds,
          actual,
        });
      }
      if (bound !== undefined) {
        scores.push({ ...common, forecastId, predictor, metric: 'WAIT_BOUND95_SECONDS', predicted: bound, actual });
      }
    }
  }
  if (reservation?.state === 'KEPT' || reservation?.state === 'MISSED') {
    const [forecast] = forecasts;
    const predictor = forecast?.predictor ?? 'none';
    const actual = reservation.state === 'KEPT' ? 1 : 0;
    const predicted = reservation.promisedProbability;
    scores.push({ ...common, forecastId: forecast?.id ?? null, predictor, metric: 'PROMISE', predicted, actual });
  }
  return scores;
}
