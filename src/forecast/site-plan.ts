import type { EpochSeconds } from '../domain/clock.ts';
import type { QuantityForecast, WaitForecast } from '../domain/forecast.ts';
import type { Submission } from '../domain/job.ts';
import type { ChargeForecast, Plan, TrajectoryPoint } from '../domain/plan.ts';
import { expectedAndWorst, expectedCharge } from '../plan/charge.ts';
import { keptWait, runtimeAmong } from '../predict/quantities.ts';
import type { MadeForecast } from '../store/plans.ts';

interface Size {
  readonly processors: number;
  readonly walltimeSeconds: number;
}

/** A submission at a point of a trajectory, with what was forecast of it. */
interface ForecastPoint {
  readonly siteId: string;
  readonly queue: string | null;
  readonly point: TrajectoryPoint;
  readonly forecast: WaitForecast | null;
  /** Of everything but the wait. */
  readonly others: readonly QuantityForecast[];
}

/** A promise as one site makes it. */
export interface PromiseAtSite extends ForecastPoint {
  readonly siteName: string;
  readonly charge: ChargeForecast;
  /** That is promised. */
  readonly probability: number;
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
    processors: size.processors,
    walltimeSeconds: point.walltimeSeconds,
    submitAt: point.submitAt,
    charge,
    forecast,
    runtime: runtimeAmong(promise.others),
    responseSeconds: null,
    costProcessorSeconds: expectedCharge(charge),
    lostBecause: null,
    explanation: `${siteName} ${describePromise(probability, charge)}, ${because}`,
  };
  const plan = { madeAt: now, chosen, submitAt: point.submitAt, candidates: [chosen] };
  return { plan, forecasts: forecastsAt(promise, size) };
}

/** The whole charge of a promise in words: what is expected, and the most that it can come to. */
export function describePromise(probability: number, charge: ChargeForecast): string {
  const { expected, worst } = expectedAndWorst(charge);
  const most = `${Math.round(worst)} at most`;
  return `promises probability ${probability} for an expected charge of ${Math.round(expected)} processor-seconds, ${most}`;
}

/**
 * What was forecast of a submission at a point of a trajectory, as it is kept: the wait of the padded job, and
 * everything else of the work alone.
 */
export function forecastsAt(
  { siteId, queue, point, forecast, others }: ForecastPoint,
  { processors, walltimeSeconds }: Size,
): MadeForecast[] {
  const { submitAt, walltimeSeconds: paddedSeconds } = point;
  const queryOf = (requestedWalltimeSeconds: number): Submission => {
    return { queue, processors, requestedWalltimeSeconds, user: null, submitAt };
  };
  const wait = forecast ? [{ siteId, query: queryOf(paddedSeconds), forecast: keptWait(forecast) }] : [];
  return [...wait, ...others.map((other) => ({ siteId, query: queryOf(walltimeSeconds), forecast: other }))];
}
