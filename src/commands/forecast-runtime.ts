import { invariant } from '../domain/failures.ts';
import type { LiveRuntimeForecast, WaitQuery } from '../domain/forecast.ts';
import { asRuntime, RUNTIME } from '../predict/quantities.ts';
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
