import type { SiteAdapter } from '../../../domain/site-adapter.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { listTrackedExecutions } from '../../../store/executions.ts';
import type { SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';
import { trackStep } from '../track.ts';
import { type Sighting, sightings } from './sightings.ts';
import { cancelStrays } from './strays.ts';

/** Lets every tracked execution follow what a snapshot shows of its job, and cancels the jobs that nobody tracks. */
export async function followJobs(
  context: FlowContext,
  site: SiteRow,
  adapter: SiteAdapter,
  snapshot: Snapshot,
): Promise<void> {
  const tracked = await listTrackedExecutions(context.database.db, site.id);
  await trackAll(context, site, await sightings(adapter, tracked, snapshot));
  await cancelStrays(context, site, adapter, snapshot);
}

/** Follows all sightings, as many at once as the worker takes wake-ups in hand. */
async function trackAll(context: FlowContext, site: SiteRow, seen: readonly Sighting[]): Promise<void> {
  const left = seen.values();
  const trackSome = async () => {
    for (const sighting of left) await trackStep(context, site, sighting);
  };
  await Promise.all(Array.from({ length: context.settings.concurrency }, trackSome));
}
