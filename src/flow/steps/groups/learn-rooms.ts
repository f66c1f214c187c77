import type { Refusal } from '../../../domain/refusal.ts';
import { askedAt } from '../../../domain/site-requests.ts';
import { learnLimits, type SiteLimits, sitesWithRoomAgain } from '../../../plan/job/site-limits.ts';
import type { TaskRoom } from '../../../plan/job/spread-tasks.ts';
import { hasRoomAgain, isOnTerms } from '../../../plan/refusals.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { type JobGroupRow, saveSiteLimits } from '../../../store/job-groups.ts';
import { asPlanRequest } from '../../../store/plan-requests.ts';
import { forgetJobLimits } from '../../../store/refusals.ts';
import { listAllowedSites, type SiteRow } from '../../../store/sites.ts';
import { countTenantsJobs } from '../../../store/tasks.ts';
import type { FlowContext } from '../../context.ts';
import { standingOf } from '../refusals/refusals.ts';

/** How things are for the tasks of a group. */
export interface GroupOutlook {
  readonly roomOf: (siteId: string) => TaskRoom;
  /** Equal for two looks between which nothing was heard that a plan rests on, but for how many tasks are where. */
  readonly knownAs: string;
}

/**
 * What is known of the room that each site has for tasks of a group. A site that refused one more job takes as many as
 * it had then; once it has fewer, its refusal is forgotten, so that it is given some again before that has run out.
 */
export async function learnRooms(context: FlowContext, group: JobGroupRow, task: ExecutionRow): Promise<GroupOutlook> {
  const { db } = context.database;
  const now = context.clock.now();
  const { tenantId } = group;
  const sites = await listAllowedSites(db, task);
  const ids = sites.map(({ id }) => id);
  const counts = await countTenantsJobs(db, tenantId, ids, now);
  const refusals = await refusalsOfTask(context, task, now);
  const known = group.siteLimits as unknown as SiteLimits;
  const limits = learnLimits(known, refusals, (siteId) => counts.get(siteId)?.accepted ?? 0, now);
  if (JSON.stringify(limits) !== JSON.stringify(known)) await saveSiteLimits(db, group.id, limits);
  const free = sitesWithRoomAgain(limits, refusals, (siteId) => counts.get(siteId)?.jobs ?? 0);
  if (free.length > 0) await forgetJobLimits(db, tenantId, free);
  const usable = new Map(sites.map(({ id, usableProcessors, processors }) => [id, usableProcessors ?? processors]));
  return {
    knownAs: knownAs(task, sites, refusals, free),
    roomOf: (siteId) => ({
      usableProcessors: usable.get(siteId) ?? 0,
      atSite: counts.get(siteId)?.tasks ?? 0,
      tenantsJobs: counts.get(siteId)?.jobs ?? 0,
      onTheWay: counts.get(siteId)?.due ?? 0,
      siteLimit: limits[siteId]?.jobs ?? null,
    }),
  };
}

/** What sites refuse to a task at present: what they refuse on other terms is none of its business. */
async function refusalsOfTask(context: FlowContext, task: ExecutionRow, now: number): Promise<Refusal[]> {
  const { refusals, defaults } = await standingOf(context, task, now);
  const request = asPlanRequest(task);
  return refusals.filter((refusal) => {
    const asked = askedAt(request, { siteId: refusal.siteId, defaults: defaults.get(refusal.siteId) ?? {} });
    return isOnTerms(refusal, asked.terms);
  });
}

function knownAs(
  { processors, walltimeSeconds, resources }: ExecutionRow,
  sites: readonly SiteRow[],
  refusals: readonly Refusal[],
  free: readonly string[],
): string {
  const seen = sites.map(({ id, state, observedAt }) => [id, state, observedAt]);
  const refused = refusals
    .filter(({ scope, siteId }) => scope !== 'JOB_LIMIT' || !free.includes(siteId))
    .map((refusal) => [refusal.siteId, refusal.queue, refusal.scope, refusal.until, hasRoomAgain(refusal)]);
  return JSON.stringify([processors, walltimeSeconds, resources, seen, refused]);
}
