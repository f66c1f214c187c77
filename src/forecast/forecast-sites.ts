import type { EpochSeconds } from '../domain/clock.ts';
import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { CandidateSite, PlanRequest } from '../domain/plan.ts';
import { type ForecastSite, queueFor } from '../plan/choose.ts';
import type { Forecaster } from './forecaster.ts';

/** A site with its forecast and the question that this answers. */
export interface AskedSite extends ForecastSite {
  readonly query: WaitQuery;
  readonly forecast: WaitForecast | null;
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

/** The wait of a request at each of the sites, if it were submitted then. */
export function forecastSites(
  forecaster: Pick<Forecaster, 'forecastWaits'>,
  sites: readonly CandidateSite[],
  request: PlanRequest,
  submitAt: EpochSeconds,
): Promise<AskedSite[]> {
  return Promise.all(
    sites.map(async (site) => {
      const query = waitQueryAt(request, site, submitAt);
      const [forecast = null] = await forecaster.forecastWaits(site.siteId, [query]);
      return { site, query, forecast };
    }),
  );
}
