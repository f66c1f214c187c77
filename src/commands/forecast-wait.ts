import { CallerError, invariant } from '../domain/failures.ts';
import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { PutOff } from '../domain/plan.ts';
import { waitQueryAt } from '../forecast/forecast-options.ts';
import { findPutOff } from '../plan/job/weigh.ts';
import type { Ineligibility } from '../plan/unusable.ts';
import type { Principal } from '../store/principals.ts';
import { asCandidate, findStandingSite, type SiteRow } from '../store/sites.ts';
import { loadStanding, type Standing } from '../store/standing.ts';
import type { CommandContext } from './carry-out/context.ts';
import { checkForecastInput, type ForecastInput } from './input/forecast-input.ts';
import { notFound } from './input/not-found.ts';
import { toProgram } from './input/work-input.ts';
import { fieldOf, loadSites } from './offers/eligible-sites.ts';
import { findImpossibility } from './offers/impossibility.ts';

/** What one site answers: a forecast, or why it could never run such a job. */
export interface ForecastAtSite {
  readonly site: SiteRow;
  /** The job as the site would see it; null where it could never run such a job. */
  readonly query: WaitQuery | null;
  readonly forecast: WaitForecast | null;
  /** The maintenance that would put the forecast start off. */
  readonly putOff: PutOff | null;
  readonly impossible: Ineligibility | null;
}

/** The answer of a site that can run the job. */
export type KnownForecast = ForecastAtSite & { readonly query: WaitQuery; readonly forecast: WaitForecast };

/**
 * How long a job would wait at a site if it were submitted now. Changes nothing.
 * @throws CallerError when the input is invalid, there is no such site, or the site could never run such a job
 */
export async function forecastWait(
  context: CommandContext,
  principal: Principal,
  siteId: string,
  input: ForecastInput,
): Promise<KnownForecast> {
  checkForecastInput(context, input);
  const site = await findStandingSite(context.database.db, siteId);
  if (!site) throw notFound('site', 'siteId');
  const answer = await forecastAt(context, await standingOf(context, principal), site, input);
  const { query, forecast, impossible } = answer;
  if (impossible) {
    throw new CallerError(
      'INVALID',
      fieldOf(impossible, 'input'),
      `${impossible.explanation}; ask for less, or elsewhere`,
    );
  }
  invariant(query && forecast, `no forecast for site ${siteId}`);
  return { ...answer, query, forecast };
}

/**
 * The same for several sites, each with its own answer. Changes nothing.
 * @param siteIds none for every site
 * @throws CallerError when the input is invalid or there is no such site
 */
export async function forecastWaits(
  context: CommandContext,
  principal: Principal,
  siteIds: readonly string[],
  input: ForecastInput,
): Promise<ForecastAtSite[]> {
  checkForecastInput(context, input);
  const { sites, unknown } = await loadSites(context.database.db, siteIds);
  const [first] = unknown;
  if (first) throw notFound('site', `siteIds[${first.index}]`);
  const standing = await standingOf(context, principal);
  return Promise.all(sites.map((site) => forecastAt(context, standing, site, input)));
}

/** What holds for whoever asks, as it does when the job is submitted. */
function standingOf({ database, clock }: CommandContext, { tenantId }: Principal): Promise<Standing> {
  return loadStanding(database.db, tenantId, clock.now());
}

async function forecastAt(
  { clock, forecaster }: CommandContext,
  standing: Standing,
  site: SiteRow,
  input: ForecastInput,
): Promise<ForecastAtSite> {
  const now = clock.now();
  const { user, predictor } = input;
  const impossible = findImpossibility(site, standing, input, now);
  if (impossible) return { site, query: null, forecast: null, putOff: null, impossible };
  const { processors, walltimeSeconds, resources, queue } = input;
  const request = { processors, walltimeSeconds, resources, queue, deadlineAt: null, ...toProgram(input) };
  const candidate = asCandidate(site, standing);
  const query = waitQueryAt(request, candidate, now, user);
  const [forecast = null] = await forecaster.forecastWaits(site.id, [query], predictor ?? undefined);
  return { site, query, forecast, putOff: findPutOff(request, candidate, forecast, now), impossible: null };
}
