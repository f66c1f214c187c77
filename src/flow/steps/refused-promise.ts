import { isPassing } from '../../domain/plan.ts';
import { findIneligibility } from '../../plan/choose.ts';
import { scopeOfRefusal } from '../../plan/refusals.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import { asCandidate, listSites, type SiteRow } from '../../store/sites.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { missForGood } from './miss.ts';
import { ownRefusalsOf, refusalsOf } from './refusals.ts';

/**
 * A promise that its site has refused and that no other one takes at present. It looks again until its time has come,
 * for sites come back and refusals pass; only a job that its own site will not take however often it is asked, with no
 * other site to hope for, has missed. Null when nothing was refused to it.
 */
export async function waitWhileRefused(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
  site: SiteRow,
): Promise<Next | null> {
  const now = context.clock.now();
  const own = (await ownRefusalsOf(context, execution, now)).find(({ siteId }) => siteId === site.id);
  if (!own) return null;
  const scope = scopeOfRefusal(own.siteSays);
  const isHopeless = scope === 'JOB' || scope === 'SIZE';
  if (isHopeless && !(await mayTakeItLater(context, execution, now))) {
    return missForGood(context, turn, execution, reservation);
  }
  const again = Math.max(
    now + context.settings.retrySeconds,
    Math.min(own.until, now + context.settings.recomputeIntervalSeconds),
  );
  return commitStep(context, turn, { wakeAt: Math.min(reservation.startAt, again) }, (tx) => assertTurn(tx, turn));
}

/** Whether some site that it may go to keeps it out for a reason that passes. */
async function mayTakeItLater(context: FlowContext, execution: ExecutionRow, now: number): Promise<boolean> {
  const { processors, walltimeSeconds, queue, allowedSiteIds } = execution;
  const request = { processors, walltimeSeconds, queue, deadlineAt: null };
  const refusals = await refusalsOf(context, execution, now);
  const sites = await listSites(context.database.db);
  return sites
    .filter(({ id }) => allowedSiteIds.length === 0 || allowedSiteIds.includes(id))
    .map((site) => findIneligibility(request, asCandidate(site, refusals), now, context.settings.staleAfterSeconds))
    .some((ineligibility) => ineligibility === null || isPassing(ineligibility.reason));
}
