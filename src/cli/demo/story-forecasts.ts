import type { SiteAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import type { ForecastAnswer } from '../client/forecast-answers.ts';
import { renderForecasts } from '../render/forecasts.ts';
import { renderSites } from '../render/sites.ts';
import type { Narrator } from './narrator.ts';
import type { Stage } from './stage.ts';

/** A job as the reservation's: eight processors for half an hour. */
const TYPICAL = { processors: 8, walltimeSeconds: 1800, queue: null, user: null };
const WITHIN_SECONDS = 3600;

/** The sites as they are, and how long a typical job would wait at each. */
export async function tellForecasts(stage: Stage, sites: readonly SiteAnswer[], narrator: Narrator): Promise<void> {
  narrator.chapter(`${sites.length} sites, none of which knows Gridcast as more than one more user`);
  narrator.line(renderSites(sites));
  narrator.chapter('How long would 8 processors for 30 minutes wait there?');
  const rows = await Promise.all(
    sites.map(async ({ id, name }) => {
      const variables = { siteId: id, input: TYPICAL, within: WITHIN_SECONDS };
      const { forecast } = await stage.client.request<{ forecast: ForecastAnswer }>(DOCUMENTS.forecast, variables);
      return { site: name, forecast };
    }),
  );
  narrator.line(renderForecasts(rows, WITHIN_SECONDS));
}
