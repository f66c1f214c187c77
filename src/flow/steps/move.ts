import { planAtSite } from '../../forecast/site-plan.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { savePlan } from '../../store/plans.ts';
import { type ReservationRow, saveTrajectory } from '../../store/reservations.ts';
import type { SiteRow } from '../../store/sites.ts';
import type { Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { asPromise, findOffersElsewhere } from './elsewhere.ts';
import { loadLegs, sitesInUse } from './legs.ts';

/**
 * Moves a promise that waits at a suspended site to the site that promises as much for the least expected charge. Null, and nothing
 * is changed, when there is none: it then waits where it is.
 */
export async function moveElsewhere(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
  from: SiteRow,
): Promise<Next | null> {
  const { db } = context.database;
  const now = context.clock.now();
  const { coAllocationId, probability } = reservation;
  const others = coAllocationId === null ? [] : sitesInUse(await loadLegs(db, coAllocationId));
  const [found] = await findOffersElsewhere(context, { execution, reservation }, new Set(others), probability, now);
  if (!found || found.site.id === from.id) return null;
  const { point, charge, trajectory } = found.offer;
  const why = `${from.name} is taken to be down`;
  const { plan, forecasts } = planAtSite(asPromise(found, probability), execution, `as ${why}`, now);
  context.logger.info({ executionId: execution.id, from: from.name, to: found.site.name }, 'moved');
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    const assignment = { siteId: found.site.id, siteQueue: found.queue, submitAt: point.submitAt };
    const reason = `moved to ${found.site.name}: ${why}`;
    await changeExecution(tx, turn, execution, { ...assignment, reason }, now);
    await savePlan(tx, execution.id, plan, forecasts);
    await saveTrajectory(tx, reservation.id, {
      trajectory,
      currentProbability: probability,
      worstPaddingProcessorSeconds: charge.worstPaddingProcessorSeconds,
      now,
    });
  });
}
