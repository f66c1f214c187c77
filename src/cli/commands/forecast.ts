import type { ForecastAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import type { SizeOptions } from '../parse/work.ts';
import { renderForecasts } from '../render/objects.ts';
import { findSiteIds, type Session } from '../session.ts';

/** `gridcast forecast` */
export async function runForecast(
  { client, output }: Session,
  options: SizeOptions & { user?: string; within: number },
): Promise<void> {
  const { sites } = await client.request<{ sites: { id: string; name: string }[] }>(DOCUMENTS.siteIds);
  const wanted = options.site ? await findSiteIds(client, options.site) : sites.map(({ id }) => id);
  const input = {
    processors: options.processors,
    walltimeSeconds: options.walltime,
    queue: options.queue ?? null,
    user: options.user ?? null,
  };
  const rows = await Promise.all(
    wanted.map(async (siteId) => {
      const variables = { siteId, input, within: options.within };
      const { forecast } = await client.request<{ forecast: ForecastAnswer }>(DOCUMENTS.forecast, variables);
      return { site: sites.find(({ id }) => id === siteId)?.name ?? siteId, forecast };
    }),
  );
  output.result(rows, () => renderForecasts(rows, options.within));
}
