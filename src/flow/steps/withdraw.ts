import { SiteFailure, StaleTurn } from '../../domain/failures.ts';
import type { SiteAdapter } from '../../domain/site-adapter.ts';
import { chanceOfStaying } from '../../plan/stay-in-queue.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import { asCandidate, downEvidenceOf, type SiteRow } from '../../store/sites.ts';
import { findNewestSubmission, moveSubmission } from '../../store/submissions.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { findEqualOffer } from './move.ts';
import { askPhase, nativeRef } from './sightings.ts';
import { siteOf } from './submit.ts';
import { findObstacle } from './unusable.ts';

/**
 * Looks after a promise whose job waits in its site's queue. While the site is taken to be down, or has announced a
 * maintenance that the promise meets, and another one promises as much, its job is to be withdrawn: the wish is on
 * record before the site is asked to cancel it, and only when the observation has found the job gone without a start is
 * the execution held again, to be moved (`follow` in `track.ts`, `move.ts`). Until then it is this site's.
 */
export async function withdrawStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const submission = await findNewestSubmission(context.database.db, execution.id);
  if (submission?.state === 'WITHDRAWING') return askAgain(context, turn, execution);
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  const stay = (seconds: number) =>
    commitStep(context, turn, { wakeAt: Math.min(reservation.startAt, now + seconds) }, (tx) => assertTurn(tx, turn));
  const isObstructed = findObstacle(asCandidate(site), execution, reservation.startAt) !== null;
  const shouldGo = isObstructed || site.state === 'SUSPENDED';
  if (!shouldGo || execution.attempts >= MOST_ATTEMPTS) return stay(Number.POSITIVE_INFINITY);
  const { observeIntervalSeconds, recomputeIntervalSeconds } = context.settings;
  const isBetter = await isBetterElsewhere(context, execution, reservation, site, isObstructed, now);
  if (!isBetter) return stay(recomputeIntervalSeconds);
  const adapter = context.adapterOf(site);
  // A running job is never cancelled for a move, nor one of which nothing is known.
  if ((await askPhase(context, adapter, execution)) !== 'WAITING') return stay(observeIntervalSeconds);
  return ask(context, turn, execution, adapter);
}

/** Whether another site promises as much although the job would reach it later, and staying is worth less than that. */
async function isBetterElsewhere(
  context: FlowContext,
  execution: ExecutionRow,
  reservation: ReservationRow,
  site: SiteRow,
  isObstructed: boolean,
  now: number,
): Promise<boolean> {
  const { processors, siteQueue: queue, submittedWalltimeSeconds, walltimeSeconds: ownWalltimeSeconds } = execution;
  const walltimeSeconds = submittedWalltimeSeconds ?? ownWalltimeSeconds;
  const query = { queue, processors, requestedWalltimeSeconds: walltimeSeconds, user: null, submitAt: now };
  const [forecast] = await context.forecaster.forecastWaits(site.id, [query]);
  const signs = downEvidenceOf(site).map(({ sign }) => sign);
  const waitedSeconds = now - (execution.nativeSubmittedAt ?? now);
  const leftSeconds = reservation.startAt - now;
  const chance = forecast && !isObstructed ? chanceOfStaying({ signs, forecast, waitedSeconds, leftSeconds }) : 0;
  if (chance >= reservation.probability) return false;
  const { accountingLagSeconds } = context.adapterOf(site).capabilities;
  const { observeIntervalSeconds, retrySeconds } = context.settings;
  const goneAt = now + accountingLagSeconds + observeIntervalSeconds + 2 * retrySeconds;
  return (await findEqualOffer(context, { execution, reservation }, goneAt)) !== null;
}

/**
 * Records the wish and asks the site. One that certainly was not reached keeps the job, and whether it had better go is
 * asked anew.
 */
async function ask(context: FlowContext, turn: Turn, execution: ExecutionRow, adapter: SiteAdapter): Promise<Next> {
  const begunAt = performance.now();
  const { key } = nativeRef(execution);
  await commitStep(context, turn, 'AGAIN', async (tx) => {
    await assertTurn(tx, turn);
    await moveSubmission(tx, key, 'WITHDRAWING', context.clock.now());
  });
  // A worker that was paused here for longer than its lease may have been replaced, and the job may be wanted again.
  if (performance.now() - begunAt > context.settings.leaseMilliseconds) {
    throw new StaleTurn(`execution ${execution.id}`);
  }
  const isUntouched = (await cancel(context, adapter, execution)) === 'transient';
  return commitStep(context, turn, nextLook(context), async (tx) => {
    await assertTurn(tx, turn);
    if (isUntouched) await moveSubmission(tx, key, 'ACCEPTED', context.clock.now());
  });
}

/** The site may have been asked before, so the wish stands until the job is seen to run or to be gone. */
async function askAgain(context: FlowContext, turn: Turn, execution: ExecutionRow): Promise<Next> {
  const begunAt = performance.now();
  const adapter = context.adapterOf(await siteOf(context, execution));
  const waits = (await askPhase(context, adapter, execution)) === 'WAITING';
  if (performance.now() - begunAt > context.settings.leaseMilliseconds) {
    throw new StaleTurn(`execution ${execution.id}`);
  }
  if (waits) await cancel(context, adapter, execution);
  return commitStep(context, turn, nextLook(context), (tx) => assertTurn(tx, turn));
}

function nextLook({ clock, settings }: FlowContext): Next {
  return { wakeAt: clock.now() + 2 * settings.observeIntervalSeconds };
}

/** Asks the site to cancel the job; what the site failed with, or null. */
async function cancel(
  context: FlowContext,
  adapter: SiteAdapter,
  execution: ExecutionRow,
): Promise<SiteFailure['kind'] | null> {
  try {
    await adapter.cancel(nativeRef(execution));
    return null;
  } catch (error) {
    return note(context, execution, error).kind;
  }
}

function note(context: FlowContext, { id: executionId, requestId, nativeId }: ExecutionRow, error: unknown) {
  if (!(error instanceof SiteFailure)) throw error;
  context.logger.warn({ requestId, executionId, nativeId, kind: error.kind, err: error }, 'not withdrawn yet');
  return error;
}

const MOST_ATTEMPTS = 4;
