import type { SiteAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { failureOf, type UserError } from '../failure.ts';
import { startProgress } from '../render/progress.ts';
import { mutate } from './patient-client.ts';
import type { Stage } from './stage.ts';

const POLL_MILLISECONDS = 400;
/** A site's history has come in when nothing was added for so many looks. */
const QUIET_LOOKS = 3;

/**
 * Registers the sites that are not yet and waits until each was observed and its history has come in and been learned
 * from.
 */
export async function openSites(stage: Stage, quiet: boolean): Promise<SiteAnswer[]> {
  const { client, siteNames, stack } = stage;
  const url = stack.simulatedSites?.url;
  for (const site of siteNames) {
    const input = { name: site, adapter: 'simulator', configuration: { url, site }, idempotencyKey: `site-${site}` };
    const { userErrors } = await mutate<{ userErrors: readonly UserError[] }>(
      client,
      DOCUMENTS.registerSite,
      'registerSite',
      input,
    );
    const failure = failureOf(userErrors);
    if (failure) throw failure;
  }
  const progress = startProgress('history of the sites', siteNames.length, quiet);
  try {
    return await untilWarm(stage, (warm, records) => progress.update(warm, `${records} jobs`));
  } finally {
    progress.stop();
  }
}

async function untilWarm(stage: Stage, onLook: (warm: number, records: number) => void): Promise<SiteAnswer[]> {
  const seen = new Map<string, { records: number; quietLooks: number }>();
  for (;;) {
    const { sites } = await stage.client.request<{ sites: SiteAnswer[] }>(DOCUMENTS.sites);
    for (const { name, records, observedAt, learning } of sites) {
      const before = seen.get(name);
      // Live arrivals trickle in all the time; history comes by the thousand.
      const grown = before === undefined || records > before.records + TRICKLE_JOBS;
      const isBusy = grown || learning || observedAt === null || records === 0;
      const quietLooks = isBusy ? 0 : (before?.quietLooks ?? 0) + 1;
      seen.set(name, { records: Math.max(records, before?.records ?? 0), quietLooks });
    }
    const warm = [...seen.values()].filter(({ quietLooks }) => quietLooks >= QUIET_LOOKS).length;
    onLook(
      warm,
      sites.reduce((sum, { records }) => sum + records, 0),
    );
    if (sites.length > 0 && warm === sites.length) return sites;
    await new Promise((done) => setTimeout(done, POLL_MILLISECONDS));
  }
}

const TRICKLE_JOBS = 200;
