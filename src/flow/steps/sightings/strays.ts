import { SiteFailure } from '../../../domain/failures.ts';
import type { SiteAdapter } from '../../../domain/site-adapter.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import type { SiteRow } from '../../../store/sites.ts';
import { findStrays, findSubmissionTenant } from '../../../store/submissions.ts';
import type { FlowContext } from '../../context.ts';
import { adapterFor, isPerTenant } from '../../identities.ts';

/**
 * Cancels native jobs of ours that nobody waits for: a submission that reached its site after it had been written off,
 * which takes a worker that stood still between its last look at its lease and the call, or a site that accepts minutes
 * late; or a job given up as lost that is back. What cannot be cancelled now is seen again by the next observation.
 */
export async function cancelStrays(
  context: FlowContext,
  site: SiteRow,
  adapter: SiteAdapter,
  snapshot: Snapshot,
): Promise<void> {
  const listed = [...snapshot.waiting, ...snapshot.running].flatMap(({ key, nativeId, submitAt }) => {
    return key === null ? [] : [{ key, nativeId, submittedAt: submitAt }];
  });
  if (listed.length === 0) return;
  for (const ref of await findStrays(context.database.db, site.id, listed, snapshot.observedAt)) {
    const { key, nativeId } = ref;
    context.logger.warn({ site: site.name, key, nativeId }, 'stray job cancelled');
    try {
      const owner = await findSubmissionTenant(context.database.db, key);
      await (owner && isPerTenant(site) ? await adapterFor(context, owner, site) : adapter).cancel(ref);
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error;
      context.logger.warn({ site: site.name, key, nativeId, kind: error.kind, err: error }, 'stray not cancelled yet');
    }
  }
}
