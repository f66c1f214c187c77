import { randomUUID } from 'node:crypto';
import { type FaultCode, SiteFailure } from '../../../domain/failures.ts';
import { identitiesOf, type TenantIdentity } from '../../../domain/site-identity.ts';
import { submissionKey } from '../../../domain/submission.ts';
import { listIdentityChecks, saveIdentityCheck } from '../../../store/identities.ts';
import type { SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';

/**
 * Uses the accounts of tenants at a site that were not used for a question for an hour, or failed a minute ago, those
 * first that were not used for longest. Each looks for a job that there is not, which costs the site what one look-up
 * does.
 */
export async function checkIdentities(context: FlowContext, site: SiteRow): Promise<void> {
  const { tenants } = identitiesOf(site.configuration);
  if (tenants.length === 0) return;
  const { clock, database } = context;
  const checks = new Map((await listIdentityChecks(database.db, [site.id])).map((row) => [row.tenant, row]));
  const now = clock.now();
  const checkedAt = ({ tenant, user }: TenantIdentity) => {
    const known = checks.get(tenant);
    if (!known || known.user !== user || known.checkedAt > now) return Number.NEGATIVE_INFINITY;
    return known.fault === null ? known.checkedAt : known.checkedAt - CHECK_SECONDS + FAULTY_SECONDS;
  };
  const due = tenants.filter((one) => now - checkedAt(one) >= CHECK_SECONDS);
  const first = due.sort((a, b) => checkedAt(a) - checkedAt(b)).slice(0, MOST_AT_ONCE);
  await Promise.all(
    first.map(async ({ tenant, user }) => {
      const fault = await faultOfAccount(context, site, tenant);
      await saveIdentityCheck(database.db, { siteId: site.id, tenant, user, fault }, clock.now());
    }),
  );
}

async function faultOfAccount(context: FlowContext, site: SiteRow, tenant: string): Promise<FaultCode | null> {
  try {
    await context.adapterOf(site, tenant).find(submissionKey(randomUUID(), 1), context.clock.now());
    return null;
  } catch (error) {
    if (error instanceof SiteFailure) return error.code;
    throw error;
  }
}

const CHECK_SECONDS = 3600;
const FAULTY_SECONDS = 60;
/** At one look. */
const MOST_AT_ONCE = 4;
