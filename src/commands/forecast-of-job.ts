import { invariant } from '../domain/failures.ts';
import type { LiveBytesForecast, LiveRuntimeForecast, WaitQuery } from '../domain/forecast.ts';
import type { IoBytes } from '../domain/job-use.ts';
import { asBytes, asRuntime, READ_BYTES, RUNTIME, WRITTEN_BYTES } from '../predict/quantities.ts';
import type { CommandContext } from './carry-out/context.ts';

/** How long a job would run at a site, by the predictor of runtimes that decides. Changes nothing. */
export async function forecastRuntime(
  { forecaster }: CommandContext,
  siteId: string,
  query: WaitQuery,
): Promise<LiveRuntimeForecast> {
  const [forecast] = await forecaster.forecastOthers(siteId, RUNTIME.name, [query]);
  invariant(forecast, `no runtime for site ${siteId}`);
  return asRuntime(forecast);
}

/** How many bytes it would read, or write; null where nothing is known of that. Changes nothing. */
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
