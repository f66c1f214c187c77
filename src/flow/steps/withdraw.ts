import { askedJob } from '../../forecast/asked-job.ts';
import { isNeverStarted, mayBeWithdrawn, noMoves } from '../../plan/reservation/life.ts';
import { chanceOfStaying } from '../../plan/stay-in-queue.ts';
import { loadCandidate } from '../../store/candidates.ts';
import { downEvidenceOf, type SiteRow } from '../../store/sites.ts';
import { findNewestSubmission } from '../../store/submissions.ts';
import { adapterFor } from '../identities.ts';
import type { PromiseInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { findEqualOffer, findMostProbableOffer } from './elsewhere/other-place.ts';
import { findObstacle } from './elsewhere/unusable.ts';
import { askBack, askBackAgain } from './sightings/ask-back.ts';
import { askPhase } from './sightings/sightings.ts';

/**
 * Looks after a promise whose job waits in its site's queue. While the site is taken to be down, or has announced a
 * maintenance that the promise meets, and another one promises as much, its job is to be withdrawn; so is one that its
 * site never starts, where another one promises anything. The wish is on record before the site is asked to cancel it,
 * and only when the observation has found the job gone without a start is the execution held again, to be moved
 * (`whatFollows`, `move.ts`). Until then it is this site's.
 */
export async function withdrawStep(inHand: PromiseInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const submission = await findNewestSubmission(context.database.db, execution.id);
  if (submission?.state === 'WITHDRAWING') return askBackAgain(inHand);
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  const stay = (seconds: number) =>
    writeMoves(inHand, noMoves(now, { at: Math.min(reservation.startAt, now + seconds) }));
  const there = await loadCandidate(context.database.db, execution.tenantId, site, now);
  const isObstructed = isNeverStarted(execution) || findObstacle(there, execution, reservation.startAt) !== null;
  if (!mayBeWithdrawn(execution, { isObstructed, siteState: site.state })) return stay(Number.POSITIVE_INFINITY);
  const { observeIntervalSeconds, recomputeIntervalSeconds } = context.settings;
  const isBetter = await isBetterElsewhere(inHand, site, isObstructed);
  if (!isBetter) return stay(recomputeIntervalSeconds);
  const adapter = await adapterFor(context, execution, site);
  // A running job is never cancelled for a move, nor one of which nothing is known.
  if ((await askPhase(context, adapter, execution)) !== 'WAITING') return stay(observeIntervalSeconds);
  return askBack(inHand, adapter);
}

/** Whether another site promises as much although the job would reach it later, and staying is worth less than that. */
async function isBetterElsewhere(
  { context, execution, reservation }: PromiseInHand,
  site: SiteRow,
  isObstructed: boolean,
): Promise<boolean> {
  const now = context.clock.now();
  const requestedWalltimeSeconds = execution.submittedWalltimeSeconds ?? execution.walltimeSeconds;
  const { atSite } = await askedJob(context.database.db, execution, site, now);
  const [forecast] = await context.forecaster.forecastWaits(site.id, [{ ...atSite, requestedWalltimeSeconds }]);
  const signs = downEvidenceOf(site).map(({ sign }) => sign);
  const waitedSeconds = now - (execution.nativeSubmittedAt ?? now);
  const leftSeconds = reservation.startAt - now;
  const chance = forecast && !isObstructed ? chanceOfStaying({ signs, forecast, waitedSeconds, leftSeconds }) : 0;
  if (chance >= reservation.probability) return false;
  const { accountingLagSeconds } = context.adapterOf(site).capabilities;
  const { observeIntervalSeconds, retrySeconds } = context.settings;
  const goneAt = now + accountingLagSeconds + observeIntervalSeconds + 2 * retrySeconds;
  const job = { execution, reservation };
  if ((await findEqualOffer(context, job, goneAt)) !== null) return true;
  return isNeverStarted(execution) && (await findMostProbableOffer(context, job, now)) !== null;
}
