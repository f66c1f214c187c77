import type { SiteFailure } from '../domain/failures.ts';
import type { SiteAdapter } from '../domain/site-adapter.ts';
import { identitiesOf, userOf } from '../domain/site-identity.ts';
import type { ExecutionRow } from '../store/executions.ts';
import { saveIdentityCheck } from '../store/identities.ts';
import { findTenantName } from '../store/principals.ts';
import type { SiteRow } from '../store/sites.ts';
import type { FlowContext } from './context.ts';

/** Whose job it is. */
type Owned = Pick<ExecutionRow, 'tenantId'>;

/** The adapter by which the jobs of an execution's tenant are handled at a site. */
export async function adapterFor(context: FlowContext, { tenantId }: Owned, site: SiteRow): Promise<SiteAdapter> {
  if (!isPerTenant(site)) return context.adapterOf(site);
  return context.adapterOf(site, await findTenantName(context.database.db, tenantId));
}

/** Whether every tenant has an account of its own there. */
export function isPerTenant({ configuration }: SiteRow): boolean {
  return identitiesOf(configuration).rule === 'PER_TENANT';
}

/**
 * Keeps that the account of an execution's tenant failed, where it has one of its own. The call that failed is in the
 * log, once for as long as that stays.
 */
export async function noteIdentityFault(
  { clock, database }: Pick<FlowContext, 'clock' | 'database'>,
  { tenantId }: Owned,
  site: SiteRow,
  failure: SiteFailure,
): Promise<void> {
  if (!isPerTenant(site) || failure.kind === 'final') return;
  const tenant = await findTenantName(database.db, tenantId);
  const user = userOf(site.configuration, tenant);
  if (typeof user !== 'string') return;
  await saveIdentityCheck(database.db, { siteId: site.id, tenant, user, fault: failure.code }, clock.now());
}
