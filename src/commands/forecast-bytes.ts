import { invariant } from '../domain/failures.ts';
import type { LiveBytesForecast, WaitQuery } from '../domain/forecast.ts';
import type { IoBytes } from '../domain/job-use.ts';
import { asBytes, READ_BYTES, WRITTEN_BYTES } from '../predict/quantities.ts';
import type { CommandContext } from './carry-out/context.ts';

/** How many bytes a job would read, or write; null where nothing is known of that. Changes nothing. */
export async function forecastBytes(
  { forecaster }: CommandContext,
  siteId: string,
  query: WaitQuery,
  which: IoBytes,
): Promise<LiveBytesForecast | null> {
  const { name } = which === 'readBytes' ? READ_BYTES : WRITTEN_BYTES;
  const [forecast] = await forecaster.forecastOthers(siteId, name, [query]);
  invariant(forecast, `no ${name} for site ${siteId}`);
  return asBytes(forecast);
}
