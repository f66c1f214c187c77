import { isPassing } from '../../../domain/loss-reason.ts';
import { findIneligibility } from '../../../plan/job/ineligible.ts';
import { noMoves, whatNoTakerMeans } from '../../../plan/reservation/life.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { resourcesOf, siteRequestsOf } from '../../../store/plan-requests.ts';
import { asCandidate, listAllowedSites, type SiteRow } from '../../../store/sites.ts';
import type { FlowContext } from '../../context.ts';
import type { PromiseInHand } from '../../in-hand.ts';
import type { Next } from '../../turn.ts';
import { writeMoves } from '../../write-moves.ts';
import { ownRefusalsOf, scopeFor, standingOf } from './refusals.ts';

/**
 * A promise that its site has refused and that no other one takes at present. It looks again until its time has come,
 * for sites come back and refusals pass; only a job that its own site will not take however often it is asked, with no
 * other site to hope for, has missed. Null when nothing was refused to it.
 */
export async function waitWhileRefused(inHand: PromiseInHand, site: SiteRow): Promise<Next | null> {
  const { context, execution, reservation } = inHand;
  const now = context.clock.now();
  const own = (await ownRefusalsOf(context, execution, now)).find(({ siteId }) => siteId === site.id);
  if (!own) return null;
  const scope = scopeFor(execution, own.siteSays, own.siteId);
  const isHopeless = scope === 'JOB' || scope === 'SIZE';
  if (isHopeless && !(await mayTakeItLater(context, execution, now))) {
    return writeMoves(inHand, whatNoTakerMeans(inHand, now));
  }
  const again = Math.max(
    now + context.settings.retrySeconds,
    Math.min(own.until, now + context.settings.recomputeIntervalSeconds),
  );
  return writeMoves(inHand, noMoves(now, { at: Math.min(reservation.startAt, again) }));
}

/** Whether some site that it may go to keeps it out for a reason that passes. */
async function mayTakeItLater(context: FlowContext, execution: ExecutionRow, now: number): Promise<boolean> {
  const { processors, walltimeSeconds, queue, requiredTags } = execution;
  const size = { processors, walltimeSeconds, resources: resourcesOf(execution) };
  const request = { ...size, queue, ...siteRequestsOf(execution), requiredTags, deadlineAt: null };
  const standing = await standingOf(context, execution, now);
  const sites = await listAllowedSites(context.database.db, execution);
  return sites
    .map((site) => findIneligibility(request, asCandidate(site, standing), now, context.settings.staleAfterSeconds))
    .some((ineligibility) => ineligibility === null || isPassing(ineligibility.reason));
}
