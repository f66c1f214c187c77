import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitQuery } from '../domain/forecast.ts';
import type { CandidateSite, JobOption, PlanRequest } from '../domain/plan.ts';
import { type ForecastOption, queueFor, requestAs } from '../plan/job/options.ts';
import type { Forecaster } from './forecaster.ts';

/** An option with its forecast and the question that this answers. */
export interface AskedOption extends ForecastOption {
  readonly query: WaitQuery;
}

/**
 * The one question that a request is at a site, in the queue it would go to there, whoever asks it: plan, submitJob or
 * forecast.
 */
export function waitQueryAt(
  request: PlanRequest,
  site: CandidateSite,
  submitAt: EpochSeconds,
  user: string | null = null,
): WaitQuery {
  const { processors, walltimeSeconds: requestedWalltimeSeconds } = request;
  return { queue: queueFor(request, site)?.name ?? null, processors, requestedWalltimeSeconds, user, submitAt };
}

/** The wait of a request in each of the ways in which it may be run. */
export function forecastOptions(
  forecaster: Pick<Forecaster, 'forecastWaits'>,
  options: readonly JobOption[],
  request: PlanRequest,
): Promise<AskedOption[]> {
  return Promise.all(
    options.map(async (option) => {
      const query = waitQueryAt(requestAs(option, request), option.site, option.submitAt);
      const [forecast = null] = await forecaster.forecastWaits(option.site.siteId, [query]);
      return { ...option, query, forecast };
    }),
  );
}
