import { CallerError, invariant } from '../domain/failures.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import { waitQueryAt } from '../forecast/forecast-sites.ts';
import { queueFor } from '../plan/choose.ts';
import { asCandidate, findSite } from '../store/sites.ts';
import type { CommandContext } from './context.ts';
import { FaultList } from './faults.ts';
import { notFound } from './not-found.ts';
import { checkSize, quote, type SizeInput } from './work-input.ts';

/** A job whose wait at one site is asked for. */
export interface ForecastInput extends SizeInput {
  readonly siteId: string;
  readonly user: string | null;
  /** Null for the predictor that decides. */
  readonly predictor: string | null;
}

/**
 * How long a job would wait at a site if it were submitted now. Changes nothing.
 * @throws CallerError when the input is invalid or there is no such site or queue
 */
export async function forecastWait(context: CommandContext, input: ForecastInput): Promise<WaitForecast> {
  const { clock, limits, forecaster, database } = context;
  const { siteId, user, predictor } = input;
  const faults = new FaultList();
  checkSize(faults, input, 'input', limits);
  const known = forecaster.predictors;
  if (predictor !== null && !known.includes(predictor)) {
    faults.require(
      false,
      'input.predictor',
      `there is no predictor ${quote(predictor)}; there are ${known.join(', ')}`,
    );
  }
  faults.assertNone();
  const site = await findSite(database.db, siteId);
  if (!site) throw notFound('site', 'siteId');
  const request = { ...input, deadlineAt: null };
  if (input.queue !== null && !queueFor(request, asCandidate(site))) {
    const names = site.queues.map(({ name }) => name).join(', ') || 'none';
    throw new CallerError('INVALID', 'input.queue', `${site.name} has no queue ${quote(input.queue)}; it has ${names}`);
  }
  const query = waitQueryAt(request, asCandidate(site), clock.now(), user);
  const [forecast] = await forecaster.forecastWaits(siteId, [query], predictor ?? undefined);
  invariant(forecast, `no forecast for site ${siteId}`);
  return forecast;
}
