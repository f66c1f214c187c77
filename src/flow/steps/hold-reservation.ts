import { setTimeout as sleep } from 'node:timers/promises';
import { invariant } from '../../domain/failures.ts';
import { loadMargins } from '../../forecast/margins.ts';
import { isLookFresh, noMoves, whatLateSubmissionMeans } from '../../plan/reservation/life.ts';
import { earliestSubmission } from '../../plan/unusable.ts';
import type { RevisedPromise } from '../../store/held-promises.ts';
import { saveTrajectory } from '../../store/reservations.ts';
import { asCandidate, type SiteRow } from '../../store/sites.ts';
import type { PromiseInHand } from '../in-hand.ts';
import { replanAtSite } from '../recompute.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { moveAway } from './elsewhere/move.ts';
import { waitWhileRefused } from './refusals/refused-promise.ts';
import { submitStep } from './submit.ts';

/**
 * Waits with a promised reservation until its submission time, which is looked at again every few minutes meanwhile
 * (`src/flow/recompute.ts`), and once more before it is submitted on an old look. While the site is suspended or
 * refuses it, it looks for another one. Submission is the point of no return (VARQ, section 3).
 */
export async function holdReservationStep(inHand: PromiseInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const now = context.clock.now();
  if (now >= reservation.startAt) return writeMoves(inHand, whatLateSubmissionMeans(inHand, now));
  const site = await siteOf(context, execution);
  const moved = await moveAway(inHand, site);
  if (moved) return moved;
  if (site.state === 'REMOVING') return giveUp(inHand, site);
  const refused = await waitWhileRefused(inHand, site);
  if (refused) return refused;
  const plannedAt = execution.submitAt ?? now;
  if (plannedAt > now) return writeMoves(inHand, noMoves(now, { at: plannedAt }));
  const promised = { processors: execution.processors, queue: execution.siteQueue, startAt: reservation.startAt };
  const opensAt = earliestSubmission(promised, asCandidate(site), now);
  if (opensAt > now) {
    return writeMoves(inHand, { ...noMoves(now, { at: opensAt }), execution: { submitAt: opensAt } });
  }
  const { recomputeIntervalSeconds } = context.settings;
  if (isLookFresh(reservation.recomputedAt, now, recomputeIntervalSeconds)) return submitStep(inHand);
  const revised = await inTime(inHand, replanNow(inHand, site, plannedAt));
  if (revised === null) return submitStep(inHand);
  const moves = { ...noMoves(now, 'AT_ONCE'), execution: { submitAt: revised.submitAt } };
  return writeMoves(inHand, moves, (tx) => saveTrajectory(tx, reservation.id, { ...revised, now }));
}

/** When the promise is to be submitted as it looks now. */
async function replanNow(
  { context, turn, execution, reservation }: PromiseInHand,
  site: SiteRow,
  submitAt: number,
): Promise<RevisedPromise> {
  const margins = await loadMargins(context.database.db, site.id);
  const { id: executionId, tenantId, siteQueue, processors, resources, walltimeSeconds } = execution;
  const { name, arguments: args, scriptHash, account, qos, siteReservation, siteChoices } = execution;
  const program = { name, arguments: args, scriptHash };
  const terms = { account, qos, siteReservation, siteChoices };
  const size = { siteQueue, processors, resources, walltimeSeconds, ...program, ...terms };
  const due = { submitAt, wakeAt: submitAt };
  const held = { ...reservation, ...size, ...due, executionId, tenantId, version: turn.version, siteId: site.id };
  const [revised] = await replanAtSite(context, site, [held], margins, context.clock.now());
  invariant(revised, `execution ${executionId} has no new plan`);
  return revised;
}

/** A promise whose site goes and that no other one takes is cancelled: nothing will keep it. */
function giveUp(inHand: PromiseInHand, { name }: SiteRow): Promise<Next> {
  const cancelBecause = `${name} is being removed and no other site promises it`;
  const now = inHand.context.clock.now();
  return writeMoves(inHand, { ...noMoves(now, 'AT_ONCE'), cancelBecause, tellsGroup: true });
}

/**
 * A promise that is due does not wait for a forecaster that is busy, say learning at its start: the plan it has will
 * do.
 */
async function inTime<Answer>({ context, execution }: PromiseInHand, asked: Promise<Answer>): Promise<Answer | null> {
  const late = sleep(FORECAST_PATIENCE_MILLISECONDS, null, { ref: false });
  const answer = await Promise.race([asked.catch(() => null), late]);
  if (answer === null)
    context.logger.warn({ executionId: execution.id }, 'submitted on its old plan: no forecast in time');
  return answer;
}

const FORECAST_PATIENCE_MILLISECONDS = 2000;
