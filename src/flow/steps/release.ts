import { SiteFailure } from '../../domain/failures.ts';
import { candidateFor, promisedWork } from '../../forecast/asked-job.ts';
import { loadMargins } from '../../forecast/margins.ts';
import { questionAt } from '../../forecast/reservation-question.ts';
import type { HoldingJob } from '../../plan/price.ts';
import { noMoves, releasable, whatReleaseMeans } from '../../plan/reservation/life.ts';
import type { SiteRow } from '../../store/sites.ts';
import { findNewestSubmission } from '../../store/submissions.ts';
import { adapterFor } from '../identities.ts';
import type { PromiseInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import type { Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { nativeRef } from './sightings/sightings.ts';

/**
 * Looks after a reservation whose job started early and holds its processors. When running in time is so likely that a
 * later submission is worth more than holding on, the job is to be ended: the wish and the time of the next submission
 * are on record before the site is asked, and only when the observation has found the job gone is the execution held
 * again (`whatFollows`). Legs of co-allocations hold on, for others rely on them.
 */
export async function releaseStep(inHand: PromiseInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const now = context.clock.now();
  const { startAt } = reservation;
  const hold = (seconds: number) => writeMoves(inHand, noMoves(now, { at: Math.min(startAt, now + seconds) }));
  const job = releasable(execution, reservation, context.settings, now);
  if (job === null) return hold(Number.POSITIVE_INFINITY);
  const site = await siteOf(context, execution);
  const again = site.state === 'ACTIVE' ? await weigh(inHand, site, job) : null;
  if (again === null) return hold(context.settings.recomputeIntervalSeconds);
  const submission = await findNewestSubmission(context.database.db, execution.id);
  if (submission?.state === 'RELEASING') return ask(inHand, site);
  return writeMoves(inHand, whatReleaseMeans(again, now));
}

/** When it had better be submitted again; null when it should hold on. */
async function weigh(
  { context, execution, reservation }: PromiseInHand,
  site: SiteRow,
  { priceSeconds: holdPriceSeconds, ...holding }: HoldingJob,
): Promise<number | null> {
  const { clock, database, forecaster } = context;
  const { siteQueue, nativeId } = execution;
  if (nativeId === null) return null;
  const candidate = await candidateFor(database.db, execution, site);
  const queue = candidate.queues.find(({ name }) => name === siteQueue) ?? null;
  const margin = (await loadMargins(database.db, site.id)).alone(reservation.probability);
  const terms = { ...reservation, ...(await promisedWork(database.db, execution)) };
  const question = {
    ...questionAt(terms, queue, candidate, margin, clock.now()),
    ...holding,
    holdPriceSeconds,
    nativeId,
  };
  return (await forecaster.weighRelease(site.id, question))?.submitAt ?? null;
}

/**
 * Asks the site to end the job. The wish stands until it is gone, and is carried out as long as it is still worth it.
 */
async function ask(inHand: PromiseInHand, site: SiteRow): Promise<Next> {
  const { context, execution } = inHand;
  try {
    await (await adapterFor(context, execution, site)).cancel(nativeRef(execution));
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    const { id: executionId, requestId, nativeId } = execution;
    context.logger.warn({ requestId, executionId, nativeId, kind: error.kind, err: error }, 'not released yet');
  }
  const now = context.clock.now();
  return writeMoves(inHand, noMoves(now, { at: now + 2 * context.settings.observeIntervalSeconds }));
}
