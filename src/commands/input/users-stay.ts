import { CallerError } from '../../domain/failures.ts';
import { userOf } from '../../domain/site-identity.ts';
import type { Db } from '../../store/database.ts';
import { identityFaultOf, listIdentityChecks } from '../../store/identities.ts';
import type { SiteRow } from '../../store/sites.ts';
import { listUsersOfJobs, type UserOfJobs } from '../../store/users-of-jobs.ts';

/**
 * Requires that the jobs which may be at a site are followed, cancelled and read as whoever handed them in. An account
 * that did not work when it was last used holds nothing up.
 * @throws CallerError SITE_IN_USE
 */
export async function assertUsersStay(tx: Db, site: SiteRow, configuration: unknown): Promise<void> {
  const checks = await listIdentityChecks(tx, [site.id]);
  const works = ({ tenant, user }: UserOfJobs) =>
    !checks.some((check) => check.tenant === tenant && check.user === user && identityFaultOf(check) !== null);
  const users = await listUsersOfJobs(tx, site.id);
  const left = users.find((one) => userOf(configuration, one.tenant) !== one.user && works(one));
  if (left) throw followedAsSomebodyElse(site, left);
}

function followedAsSomebodyElse({ name }: SiteRow, { tenant, user, jobs }: UserOfJobs): CallerError {
  const count = jobs === 1 ? `one job of ${tenant} is` : `${jobs} jobs of ${tenant} are`;
  const remedy = 'keep that user, or drain the site and wait until they have ended, or cancel them';
  return new CallerError(
    'SITE_IN_USE',
    'input.configuration',
    `${count} at ${name} as ${user ?? 'the gateway'}, and nobody else can cancel or read them; ${remedy}`,
  );
}
