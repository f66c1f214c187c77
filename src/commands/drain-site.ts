import { CallerError } from '../domain/failures.ts';
import { publishChange } from '../store/events.ts';
import type { Principal } from '../store/principals.ts';
import { findStandingSite, setSiteState } from '../store/sites.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { notFound } from './input/not-found.ts';

/** Takes a site its right to new work, or gives it back. */
export interface DrainSiteInput extends Idempotent {
  readonly siteId: string;
  /** False to give the site work again. */
  readonly drain: boolean;
}

/**
 * Drains a site or takes it back into service. Returning means that no new request is planned on a draining one; what
 * is there already goes on.
 * @throws CallerError NOT_FOUND, or SITE_CHANGED for one that is being removed
 */
export function drainSite(
  context: CommandContext,
  principal: Principal,
  input: DrainSiteInput,
): Promise<{ siteId: string }> {
  return carryOut(context, principal, 'drainSite', input, async (commit) => {
    const { siteId, drain } = input;
    if (!(await findStandingSite(context.database.db, siteId))) {
      throw notFound('site', 'input.id');
    }
    return commit(async (tx) => {
      if (!(await setSiteState(tx, siteId, drain ? 'DRAINING' : 'ACTIVE'))) {
        throw new CallerError('SITE_CHANGED', 'input.id', 'this site is being removed; register it anew to use it');
      }
      await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
      return { siteId };
    });
  });
}
