import { setTimeout as sleep } from 'node:timers/promises';
import type { Ask } from './compare/told-execution.ts';

const REGISTER = `mutation Register($input: RegisterSiteInput!) {
  registerSite(input: $input) { site { id } userErrors { code field message } }
}`;
const OBSERVED = 'query Observed { sites { name observedAt fault } }';
const OBSERVED_WITHIN_SECONDS = 120;

/**
 * Makes sites known to a service and waits until each has been observed.
 * @returns their global ids, in their order
 * @throws Error with the service's words when it refuses one, or one is not observed within two minutes
 */
export async function registerSites(ask: Ask, sites: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const input of sites) {
    const { registerSite } = (await ask(REGISTER, { input })) as {
      registerSite: { site: { id: string } | null; userErrors: unknown };
    };
    if (!registerSite.site) throw new Error(JSON.stringify(registerSite.userErrors));
    ids.push(registerSite.site.id);
  }
  const giveUpAt = performance.now() + OBSERVED_WITHIN_SECONDS * 1000;
  for (;;) {
    const { sites: told } = (await ask(OBSERVED, {})) as { sites: { name: string; observedAt: string | null }[] };
    if (told.every(({ observedAt }) => observedAt !== null)) return ids;
    if (performance.now() > giveUpAt) throw new Error(`not every site is observed: ${JSON.stringify(told)}`);
    await sleep(1000);
  }
}
