import { CallerError } from '../domain/failures.ts';
import { publishChange } from '../store/events.ts';
import { countAtSite } from '../store/executions.ts';
import { cancelAllAtSite, wakeExecutionsBeforeStart } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { beginRemoval, findStandingSite, finishRemoval, type SiteRow } from '../store/sites.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { notFound } from './input/not-found.ts';

/** A site that is not to be used any more. */
export interface RemoveSiteInput extends Idempotent {
  readonly siteId: string;
  /** Whether our jobs there are cancelled for that. */
  readonly endJobs: boolean;
  /**
   * Whether it goes at once, though it is being removed and jobs of ours may be there that nobody can ask about: they
   * are lost.
   */
  readonly force: boolean;
}

/**
 * Removes a site, at once or as soon as nothing of ours is there: it takes no work from now on, what waits for it is
 * planned elsewhere, and while it is needed for that it is still observed. What happened there stays readable, and the
 * name is free afterwards.
 * @throws CallerError NOT_FOUND, or SITE_IN_USE while jobs of ours are there and may stay, or it is forced before it is
 * being removed
 */
export function removeSite(
  context: CommandContext,
  principal: Principal,
  input: RemoveSiteInput,
): Promise<{ siteId: string }> {
  return carryOut(context, principal, 'removeSite', input, async (commit) => {
    const { siteId, endJobs, force } = input;
    const site = await findStandingSite(context.database.db, siteId);
    if (!site) throw notFound('site', 'input.id');
    if (force && site.state !== 'REMOVING') throw notBeingRemoved(site);
    return commit(async (tx) => {
      const now = context.clock.now();
      await beginRemoval(tx, siteId);
      const { submitted, open } = await countAtSite(tx, siteId);
      if (submitted > 0 && !endJobs && !force) throw inUse(site, submitted);
      if (open === 0 || force) await finishRemoval(tx, siteId, now);
      if (open === 0) return { siteId };
      await cancelAllAtSite(tx, siteId, `${site.name} is removed`, now);
      await wakeExecutionsBeforeStart(tx, siteId, now);
      await publishChange(tx, { type: 'SITE', id: siteId, tenantId: null });
      return { siteId };
    });
  });
}

function notBeingRemoved({ name }: SiteRow): CallerError {
  const remedy = 'remove it with endJobs: true first, and by force only if it does not go';
  return new CallerError('SITE_IN_USE', 'input.force', `${name} is not being removed yet; ${remedy}`);
}

function inUse({ name }: SiteRow, submitted: number): CallerError {
  const jobs = submitted === 1 ? 'one job of ours is' : `${submitted} jobs of ours are`;
  const remedy = 'drain it and wait until they have ended, or cancel them with endJobs: true';
  return new CallerError('SITE_IN_USE', 'input.endJobs', `${jobs} at ${name}; ${remedy}`);
}
