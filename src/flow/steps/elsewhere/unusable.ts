import { isDeepStrictEqual } from 'node:util';
import type { CandidateSite } from '../../../domain/plan.ts';
import type { QueueFacts, SiteFacts } from '../../../domain/site.ts';
import { findUnusable, type Ineligibility } from '../../../plan/unusable.ts';
import type { Db } from '../../../store/database.ts';
import { listPromisesBeforeStart } from '../../../store/held-promises.ts';
import { wakeExecutionsBeforeStart } from '../../../store/outbox.ts';
import { type TermColumns, termsOf } from '../../../store/plan-requests.ts';
import { asCandidate, maintenanceOf, type SiteRow } from '../../../store/sites.ts';

/** A promised job at its site. */
export interface PromisedThere extends TermColumns {
  readonly processors: number;
  readonly walltimeSeconds: number;
  readonly siteQueue: string | null;
}

/**
 * Why a site that answers will not keep a promise: it has announced a maintenance, or none of our jobs starts in the
 * queue any more. Nodes out of service come and go, so they are no reason to leave. Null when nothing is known against
 * it.
 */
export function findObstacle(site: CandidateSite, job: PromisedThere, startAt: number): Ineligibility | null {
  const { processors, walltimeSeconds, siteQueue: queue } = job;
  const facts = site.queues.find(({ name }) => name === queue) ?? null;
  const request = { processors, walltimeSeconds, queue, ...termsOf(job), deadlineAt: null, startAt };
  const inService = facts && { ...facts, usableProcessors: null };
  return findUnusable(request, inService, { ...site, usableProcessors: null });
}

/** Wakes the promises at a site that what it says now stands against, when it has said something else before. */
export async function wakeObstructed(tx: Db, site: SiteRow, facts: SiteFacts, now: number): Promise<void> {
  const { queues, maintenance = [] } = facts;
  const windows = maintenance.filter(({ endAt }) => endAt > now);
  const before = maintenanceOf(site).filter(({ endAt }) => endAt > now);
  if (isDeepStrictEqual(windows, before) && isDeepStrictEqual(barsOf(queues), barsOf(site.queues))) return;
  const told = { ...asCandidate(site), processors: facts.processors, maintenance: windows, queues };
  const promises = await listPromisesBeforeStart(tx, site.id);
  const obstructed = promises.filter((job) => findObstacle(told, job, job.startAt) !== null);
  const ids = obstructed.map(({ executionId }) => executionId);
  if (ids.length > 0) await wakeExecutionsBeforeStart(tx, site.id, now, ids);
}

function barsOf(queues: readonly Pick<QueueFacts, 'name' | 'bar'>[]): Record<string, string | null> {
  return Object.fromEntries(queues.map(({ name, bar }) => [name, bar ?? null]));
}
