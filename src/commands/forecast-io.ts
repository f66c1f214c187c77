import { CallerError } from '../domain/failures.ts';
import type { IoForecast } from '../domain/io-ahead.ts';
import type { CommandContext } from './carry-out/context.ts';

/** Further ahead most jobs are not there yet. */
export const MOST_IO_HOURS = 24;
const HOUR_SECONDS = 3600;

/**
 * What the jobs of a site will read and write in the next hours, in slots of five minutes. Changes nothing. Null where
 * the site tells nobody's bytes, or was never observed.
 * @throws CallerError when the input is invalid
 */
export async function forecastIo(
  { clock, forecaster }: CommandContext,
  siteId: string,
  hours: number,
): Promise<IoForecast | null> {
  if (!Number.isInteger(hours) || hours < 1 || hours > MOST_IO_HOURS) {
    const message = `hours must be a whole number from 1 to ${MOST_IO_HOURS}, got ${hours}`;
    throw new CallerError('INVALID', 'hours', message);
  }
  return forecaster.forecastIo(siteId, { now: clock.now(), aheadSeconds: hours * HOUR_SECONDS });
}
