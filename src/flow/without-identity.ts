import { Unavailable } from '../domain/failures.ts';
import type { SiteAdapter } from '../domain/site-adapter.ts';

/** In place of the adapter of a tenant that has no account at a site: nothing is ever asked there in its name. */
export function withoutIdentity(site: string, tenant: string): SiteAdapter {
  const refuse = async (): Promise<never> => {
    const message = `${site} has no account for tenant ${tenant}; name one in its configuration`;
    throw new Unavailable(message, message, { code: 'MISCONFIGURED' });
  };
  return {
    capabilities: { accounting: false, accountingLagSeconds: 0 },
    facts: refuse,
    snapshot: refuse,
    submit: refuse,
    find: refuse,
    inspect: refuse,
    cancel: refuse,
    history: refuse,
    close: async () => undefined,
  };
}
