import type { SiteForecastAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { EXIT } from '../failure.ts';
import { resourcesInput } from '../parse/resources.ts';
import { type SizeOptions, type TextOptions, textInput } from '../parse/work.ts';
import { renderForecasts } from '../render/forecasts.ts';
import { allowedSiteIds, type Session } from '../session.ts';

/** `gridcast forecast` */
export async function runForecast(
  { client, output }: Session,
  options: Omit<SizeOptions, 'walltime'> & TextOptions & { walltime: number; user?: string; within: number },
): Promise<void> {
  const input = {
    processors: options.processors,
    walltimeSeconds: options.walltime,
    ...resourcesInput(options),
    queue: options.queue ?? null,
    user: options.user ?? null,
    ...(await textInput(options)),
  };
  const variables = { siteIds: await allowedSiteIds(client, options.site ?? []), input, within: options.within };
  const { forecasts } = await client.request<{ forecasts: SiteForecastAnswer[] }>(DOCUMENTS.forecasts, variables);
  const rows = forecasts.map(({ site: { name: site }, ...answer }) => ({ site, ...answer }));
  const isAnswered = rows.some(({ forecast }) => forecast !== null);
  output.result(rows, () => renderForecasts(rows, options.within), isAnswered ? 0 : EXIT.caller);
}
