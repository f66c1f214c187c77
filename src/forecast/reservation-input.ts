import type { QuantityForecast, WaitForecast } from '../domain/forecast.ts';
import { amountsOf } from '../domain/job.ts';
import type { TrajectoryPoint } from '../domain/plan.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { holdUntil } from '../plan/hold.ts';
import type { ReservationInput } from '../plan/reserve.ts';
import type { ReservationQuestion } from './forecaster.ts';
import type { SiteView } from './site-view.ts';

/** What the answers of one deployment have in common. */
export interface AnswerOptions {
  /** Name of the predictor that decides. */
  readonly predictor: string;
  /** How long it may take from the time of submission until a site has the job. */
  readonly handoverSeconds: number;
}

/**
 * A question about a reservation as the planner takes it, with the forecasts of one site.
 * @param state what the site says; all of it unless told
 */
export function inputOf(
  site: SiteView,
  predictor: string,
  question: ReservationQuestion,
  handoverSeconds: number,
  state?: Snapshot | null,
): ReservationInput {
  const { queue, processors, user, program, now, mode, startAt, windowOpensAt, ...rest } = question;
  return {
    ...rest,
    processors,
    startAt,
    holdUntilAt: holdUntil(mode, startAt, windowOpensAt),
    earliestSubmitAt: now,
    handoverSeconds,
    walltimeShares: site.past.walltimeShares,
    forecastAt: (submitAt, requestedWalltimeSeconds) => {
      const job = { queue, processors, requestedWalltimeSeconds, user, program, submitAt, ...amountsOf(question) };
      return site.predict(predictor, { ...job, isOneOfMany: true }, now, state);
    },
  };
}

/** What is forecast of a submission: the wait of the padded job, and everything else of its work. */
export function forecastsOfPoint(
  site: SiteView,
  question: ReservationQuestion,
  { forecastAt }: ReservationInput,
  { submitAt, walltimeSeconds: paddedSeconds }: TrajectoryPoint,
): { forecast: WaitForecast; others: readonly QuantityForecast[] } {
  const { queue, processors, walltimeSeconds: requestedWalltimeSeconds, user, program, now } = question;
  const work = { queue, processors, user, program, requestedWalltimeSeconds, submitAt, ...amountsOf(question) };
  return { forecast: forecastAt(submitAt, paddedSeconds), others: site.predictOthers(work, now) };
}
