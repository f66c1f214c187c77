import { CallerError } from '../domain/failures.ts';
import type { WaitForecast } from '../domain/forecast.ts';
import { waitQueryAt } from '../forecast/forecast-options.ts';
import type { Principal } from '../store/principals.ts';
import { asCandidate, findStandingSite } from '../store/sites.ts';
import { loadStanding } from '../store/standing.ts';
import type { CommandContext } from './carry-out/context.ts';
import { FaultList } from './input/faults.ts';
import { checkSize } from './input/work-input.ts';
import { findImpossibility } from './offers/impossibility.ts';

/** Sizes and walltimes, each of which is asked with each. */
export interface SizesAndWalltimes {
  readonly processors: readonly number[];
  readonly walltimeSeconds: readonly number[];
}

/** What a site answers for one size and walltime: a forecast, or why it could never run such a job. */
export interface SizedWait {
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly forecast: WaitForecast | null;
  readonly explanation: string | null;
}

/** Sizes at most, and walltimes at most. */
const MOST_OF_EACH = 8;

/**
 * How long jobs of each of some sizes and each of some walltimes would wait at a site if they were submitted now, to
 * its default queue, by the predictor that decides. Changes nothing.
 * @returns none for a site that was removed
 * @throws CallerError when a size or walltime is out of range, or there are too many
 */
export async function forecastSizes(
  { database, clock, forecaster, limits }: CommandContext,
  { tenantId }: Principal,
  siteId: string,
  { processors, walltimeSeconds }: SizesAndWalltimes,
): Promise<SizedWait[]> {
  for (const [field, { length }] of Object.entries({ processors, walltimeSeconds })) {
    if (length >= 1 && length <= MOST_OF_EACH) continue;
    throw new CallerError('INVALID', field, `${field} must be 1 to ${MOST_OF_EACH} numbers, got ${length}`);
  }
  const sizes = processors.flatMap((size) =>
    walltimeSeconds.map((walltime) => ({ processors: size, walltimeSeconds: walltime, queue: null })),
  );
  const faults = new FaultList();
  for (const size of sizes) checkSize(faults, size, 'waitsBySize', limits);
  faults.assertNone();
  const site = await findStandingSite(database.db, siteId);
  if (!site) return [];
  const now = clock.now();
  const standing = await loadStanding(database.db, tenantId, now);
  const asked = sizes.map((size) => ({ size, impossible: findImpossibility(site, standing, size, now) }));
  const candidate = asCandidate(site, standing);
  const queries = asked.flatMap(({ size, impossible }) =>
    impossible ? [] : [waitQueryAt({ ...size, deadlineAt: null }, candidate, now, null)],
  );
  const forecasts = queries.length > 0 ? await forecaster.forecastWaits(siteId, queries) : [];
  const answers = forecasts.values();
  return asked.map(({ size, impossible }) => ({
    processors: size.processors,
    walltimeSeconds: size.walltimeSeconds,
    forecast: impossible ? null : (answers.next().value ?? null),
    explanation: impossible?.explanation ?? null,
  }));
}
