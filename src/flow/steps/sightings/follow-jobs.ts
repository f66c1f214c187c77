import { SiteFailure } from '../../../domain/failures.ts';
import type { SiteAdapter } from '../../../domain/site-adapter.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { saveChangedBySite } from '../../../store/changed-by-site.ts';
import { type ExecutionRow, listTrackedExecutions } from '../../../store/executions.ts';
import type { SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';
import { adapterFor, isPerTenant, noteIdentityFault } from '../../identities.ts';
import { trackStep } from '../track.ts';
import { noteNeverStarting } from './note-never-starting.ts';
import { changedBySite, type Sighting, sightings, sightingsOfMissing } from './sightings.ts';
import { cancelStrays } from './strays.ts';

/**
 * Lets every tracked execution follow what a snapshot shows of its job, also into another queue or to another walltime,
 * or where it shows nothing what accounting does, notes what never starts, and cancels the jobs that nobody tracks. An
 * accounting that does not answer keeps nobody else's jobs from being seen.
 * @returns whether jobs are tracked there and all of them were followed
 */
export async function followJobs(
  context: FlowContext,
  site: SiteRow,
  adapter: SiteAdapter,
  snapshot: Snapshot,
): Promise<boolean> {
  const tracked = await listTrackedExecutions(context.database.db, site.id);
  await saveChangedBySite(context.database, site.id, changedBySite(tracked, snapshot, site.queues));
  await noteNeverStarting(context, site.id, tracked, snapshot);
  let areAllFollowed = true;
  if (isPerTenant(site)) areAllFollowed = await followTenants(context, site, tracked, snapshot);
  else await followSome(context, site, adapter, tracked, snapshot);
  await cancelStrays(context, site, adapter, snapshot);
  return tracked.length > 0 && areAllFollowed;
}

/** Those that the snapshot shows first: they need no accounting. */
async function followSome(
  context: FlowContext,
  site: SiteRow,
  adapter: SiteAdapter,
  tracked: readonly ExecutionRow[],
  snapshot: Snapshot,
): Promise<void> {
  const { seen, missing } = sightings(tracked, snapshot);
  await trackAll(context, site, seen);
  const { told, doubt } = await sightingsOfMissing(adapter, missing, snapshot.observedAt);
  await trackAll(context, site, told);
  if (doubt) throw doubt;
}

/**
 * The same where every tenant has an account of its own: one that fails keeps nobody else's jobs from being seen.
 * @returns whether none failed
 */
async function followTenants(
  context: FlowContext,
  site: SiteRow,
  tracked: readonly ExecutionRow[],
  snapshot: Snapshot,
): Promise<boolean> {
  let areAllFollowed = true;
  const byTenant = new Map<string, ExecutionRow[]>();
  for (const execution of tracked) {
    byTenant.set(execution.tenantId, [...(byTenant.get(execution.tenantId) ?? []), execution]);
  }
  for (const [tenantId, own] of byTenant) {
    try {
      const adapter = await adapterFor(context, { tenantId }, site);
      await followSome(context, site, adapter, own, snapshot);
    } catch (error) {
      if (!(error instanceof SiteFailure)) throw error;
      await noteIdentityFault(context, { tenantId }, site, error);
      areAllFollowed = false;
    }
  }
  return areAllFollowed;
}

/** Follows all sightings, many at once, for together they cost little more than one. */
async function trackAll(context: FlowContext, site: SiteRow, seen: readonly Sighting[]): Promise<void> {
  const left = seen.values();
  const trackSome = async () => {
    for (const sighting of left) await trackStep(context, site, sighting);
  };
  await Promise.all(Array.from({ length: TRACKED_AT_ONCE }, trackSome));
}

const TRACKED_AT_ONCE = 64;
