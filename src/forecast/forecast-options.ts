import type { EpochSeconds } from '../domain/clock.ts';
import type { LiveRuntimeForecast, WaitQuery } from '../domain/forecast.ts';
import type { CandidateSite, JobOption, PlanRequest } from '../domain/plan.ts';
import { type ForecastOption, queueFor, requestAs, withAdvisedWalltime } from '../plan/job/options.ts';
import { asRuntime, RUNTIME } from '../predict/quantities.ts';
import type { Forecaster } from './forecaster.ts';

/** An option with its forecast and the question that this answers. */
export interface AskedOption extends ForecastOption {
  readonly query: WaitQuery;
  readonly runtime: LiveRuntimeForecast;
  /** The question that the runtime answers: of an automatic walltime before it was chosen. */
  readonly work: WaitQuery;
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

/**
 * The runtime and the wait of a request in each of the ways in which it may be run. One whose walltime is automatic
 * gets that of each site before its wait is asked for.
 */
export function forecastOptions(
  forecaster: Pick<Forecaster, 'forecastWaits' | 'forecastOther'>,
  options: readonly JobOption[],
  request: PlanRequest,
): Promise<AskedOption[]> {
  return Promise.all(
    options.map(async (option) => {
      const { site, submitAt } = option;
      const work = { ...waitQueryAt(requestAs(option, request), site, submitAt), ...requestedOf(request) };
      const runtime = asRuntime(await forecaster.forecastOther(site.siteId, RUNTIME.name, work));
      const advised = withAdvisedWalltime(option, request, runtime);
      const query = waitQueryAt(requestAs(advised, request), site, submitAt);
      const [forecast = null] = await forecaster.forecastWaits(site.siteId, [query]);
      return { ...advised, query, forecast, work, runtime };
    }),
  );
}

/** What is known of the walltime before it is chosen; nothing to change where it is stated. */
function requestedOf({ auto }: PlanRequest): { requestedWalltimeSeconds?: number | null } {
  return auto ? { requestedWalltimeSeconds: auto.atMostSeconds } : {};
}
