import { SiteFailure } from '../../domain/failures.ts';
import type { HoldingQuestion } from '../../forecast/forecaster.ts';
import { loadMargins } from '../../forecast/margins.ts';
import { reservationQuestion } from '../../forecast/reservation-question.ts';
import { holdUntil, longestHoldSeconds } from '../../plan/hold.ts';
import { earliestSubmission } from '../../plan/unusable.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import { asCandidate, type SiteRow } from '../../store/sites.ts';
import { findNewestSubmission, moveSubmission } from '../../store/submissions.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { commitStep, type Next } from '../turn.ts';
import { nativeRef } from './sightings.ts';
import { siteOf } from './submit.ts';

/**
 * Looks after a reservation whose job started early and holds its processors. When running in time is so likely that a
 * later submission is worth more than holding on, the job is to be ended: the wish and the time of the next submission
 * are on record before the site is asked, and only when the observation has found the job gone is the execution held
 * again (`follow` in `track.ts`). Legs of co-allocations hold on, for others rely on them.
 */
export async function releaseStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow,
): Promise<Next> {
  const now = context.clock.now();
  const { startAt, mode, windowOpensAt, holdPriceSeconds } = reservation;
  const { observeIntervalSeconds, recomputeIntervalSeconds } = context.settings;
  const holdSeconds = longestHoldSeconds(holdUntil(mode, startAt, windowOpensAt), now);
  const hold = (seconds: number) =>
    commitStep(context, turn, { wakeAt: Math.min(startAt, now + seconds) }, (tx) => assertTurn(tx, turn));
  // The site's answer must come well before the job's own work begins.
  const leastGainSeconds = Math.max(2 * recomputeIntervalSeconds, 4 * observeIntervalSeconds);
  if (holdPriceSeconds === null || holdSeconds < leastGainSeconds) return hold(Number.POSITIVE_INFINITY);
  const site = await siteOf(context, execution);
  const job = { holdPriceSeconds, holdSeconds, leastGainSeconds, releases: execution.attempts - 1 };
  const again = site.state === 'ACTIVE' ? await weigh(context, site, execution, reservation, job) : null;
  if (again === null) return hold(recomputeIntervalSeconds);
  const submission = await findNewestSubmission(context.database.db, execution.id);
  if (submission?.state === 'RELEASING') return ask(context, turn, execution, site);
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await changeExecution(tx, turn, execution, { submitAt: again }, now);
    await moveSubmission(tx, nativeRef(execution).key, 'RELEASING', now);
  });
}

/** When it had better be submitted again; null when it should hold on. */
async function weigh(
  { clock, database, forecaster }: FlowContext,
  site: SiteRow,
  execution: ExecutionRow,
  reservation: ReservationRow,
  holding: Pick<HoldingQuestion, 'holdPriceSeconds' | 'holdSeconds' | 'leastGainSeconds' | 'releases'>,
): Promise<number | null> {
  const { processors, walltimeSeconds, siteQueue, nativeId } = execution;
  if (nativeId === null) return null;
  const queue = site.queues.find(({ name }) => name === siteQueue) ?? null;
  const margin = (await loadMargins(database.db, site.id))(reservation.probability);
  const terms = { ...reservation, processors, walltimeSeconds };
  const firstAt = earliestSubmission({ ...terms, queue: siteQueue }, asCandidate(site), clock.now());
  const question = { ...reservationQuestion(terms, queue, margin, firstAt), ...holding, nativeId };
  return (await forecaster.weighRelease(site.id, question))?.submitAt ?? null;
}

/**
 * Asks the site to end the job. The wish stands until it is gone, and is carried out as long as it is still worth it.
 */
async function ask(context: FlowContext, turn: Turn, execution: ExecutionRow, site: SiteRow): Promise<Next> {
  try {
    await context.adapterOf(site).cancel(nativeRef(execution));
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    const { id: executionId, requestId, nativeId } = execution;
    context.logger.warn({ requestId, executionId, nativeId, kind: error.kind, err: error }, 'not released yet');
  }
  const wakeAt = context.clock.now() + 2 * context.settings.observeIntervalSeconds;
  return commitStep(context, turn, { wakeAt }, (tx) => assertTurn(tx, turn));
}
