import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { ChargeForecast, Plan, TrajectoryPoint } from '../domain/plan.ts';
import { expectedCharge } from '../plan/charge.ts';
import type { MadeForecast } from '../store/plans.ts';

interface Size {
  readonly processors: number;
  readonly walltimeSeconds: number;
}

/** A promise as one site makes it. */
export interface PromiseAtSite {
  readonly siteId: string;
  readonly siteName: string;
  readonly queue: string | null;
  readonly point: TrajectoryPoint;
  readonly charge: ChargeForecast;
  /** That is promised. */
  readonly probability: number;
  readonly forecast: WaitForecast | null;
}

/**
 * The plan of a promise for which no other site was compared: the site is its only candidate. With the forecast as it
 * was made.
 * @param because why this one, appended to the description of the promise
 */
export function planAtSite(
  promise: PromiseAtSite,
  size: Size,
  because: string,
  now: EpochSeconds,
): { plan: Plan; forecasts: MadeForecast[] } {
  const { siteId, siteName, queue, point, charge, probability, forecast } = promise;
  const chosen = {
    siteId,
    siteName,
    queue,
    forecast,
    responseSeconds: null,
    costProcessorSeconds: expectedCharge(charge),
    lostBecause: null,
    explanation: `${siteName} ${describePromise(probability, charge)}, ${because}`,
  };
  const forecasts = forecast ? [{ siteId, query: queryAt(point, queue, size), forecast }] : [];
  return { plan: { madeAt: now, chosen, submitAt: point.submitAt, candidates: [chosen] }, forecasts };
}

/** The whole expected charge of a promise in words. */
export function describePromise(probability: number, charge: ChargeForecast): string {
  const expected = Math.round(expectedCharge(charge));
  return `promises probability ${probability} for an expected charge of ${expected} processor-seconds`;
}

/** The wait of the padded job when it is submitted at a point of its trajectory. */
export function queryAt(point: TrajectoryPoint, queue: string | null, size: Size): WaitQuery {
  const { submitAt, walltimeSeconds } = point;
  return { queue, processors: size.processors, requestedWalltimeSeconds: walltimeSeconds, user: null, submitAt };
}
