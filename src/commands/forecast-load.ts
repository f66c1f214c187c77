import { formatSeconds } from '../domain/duration.ts';
import { CallerError, invariant } from '../domain/failures.ts';
import type { SlotsForecast } from '../domain/forecast.ts';
import { LOAD } from '../predict/load/load.ts';
import type { CommandContext } from './carry-out/context.ts';

/** How far ahead and how finely the load is asked for. */
export interface LoadInput {
  readonly hours: number;
  readonly slotSeconds: number;
}

/** Most slots that are answered at once. */
const MOST_SLOTS = 288;
const HOUR_SECONDS = 3600;

/**
 * Processors that the jobs arriving at a site in the next hours will ask for, slot by slot, by the predictor that
 * decides. Changes nothing.
 * @throws CallerError when the input is invalid
 */
export async function forecastLoad(
  { clock, forecaster }: CommandContext,
  siteId: string,
  { hours, slotSeconds }: LoadInput,
): Promise<SlotsForecast> {
  if (!LOAD.slotSeconds.includes(slotSeconds)) {
    const message = `slotSeconds must be one of ${LOAD.slotSeconds.join(', ')}, got ${slotSeconds}`;
    throw new CallerError('INVALID', 'slotSeconds', message);
  }
  const mostHours = Math.min(LOAD.longestSeconds, MOST_SLOTS * slotSeconds) / HOUR_SECONDS;
  if (!(hours >= 1 && hours <= mostHours)) {
    const message = `hours must lie between 1 and ${mostHours} with slots of ${formatSeconds(slotSeconds)}, got ${hours}`;
    throw new CallerError('INVALID', 'hours', message);
  }
  const query = { slots: (hours * HOUR_SECONDS) / slotSeconds, slotSeconds };
  const [forecast] = await forecaster.forecastSlots(siteId, LOAD.name, query, clock.now());
  invariant(forecast, `no predictor of load follows site ${siteId}`);
  return forecast;
}
