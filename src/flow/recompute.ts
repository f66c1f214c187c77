import type { EpochSeconds } from '../domain/clock.ts';
import { invariant } from '../domain/failures.ts';
import type { ReplanAnswer } from '../forecast/forecaster.ts';
import { loadMargins, type Margins, worthAsPromise } from '../forecast/margins.ts';
import { aimedOfLeg } from '../plan/aim.ts';
import { holdUntil, longestHoldSeconds } from '../plan/hold.ts';
import { loadCandidate } from '../store/candidates.ts';
import {
  giveBackLooks,
  type HeldPromise,
  type RevisedPromise,
  reviseHeldPromises,
  takeHeldPromises,
} from '../store/held-promises.ts';
import { logFault } from '../store/log-fault.ts';
import { findSites, type SiteRow } from '../store/sites.ts';
import type { FlowContext } from './context.ts';
import { tellMissedDeadlines } from './deadlines.ts';
import { heldQuestions, marginOf } from './held-questions.ts';
import { findObstacle } from './steps/elsewhere/unusable.ts';

const BATCH = 25;
/** Moments are stored to the millisecond. */
const CLOCK_PRECISION_SECONDS = 0.001;

/**
 * Looks again and again at the promises that wait for their submission, and at deadlines: every promise once per
 * interval, many at a time, away from their own turns. So tens of thousands of them cost no wake-ups and no turns until
 * they are due.
 */
export function startRecomputing(context: FlowContext): { close(): Promise<void> } {
  let running: Promise<void> | null = null;
  let closed = false;

  async function recompute(): Promise<void> {
    await tellMissedDeadlines(context);
    while (!closed && (await recomputeHeld(context, BATCH)) === BATCH);
  }

  const timer = setInterval(() => {
    running ??= recompute()
      .catch((error: unknown) => logFault(context.logger, error, 'recomputing'))
      .finally(() => {
        running = null;
      });
  }, context.settings.sweepMilliseconds);
  return {
    async close() {
      closed = true;
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Computes the trajectories of up to `limit` promises anew and writes down the submission times that have changed, each
 * aiming above its promise by what earlier promises at the site taught. A site of which this fails, or takes long,
 * holds back no other; its promises count as not looked at. Returns how many were looked at.
 */
export async function recomputeHeld(context: FlowContext, limit: number): Promise<number> {
  const { db } = context.database;
  const now = context.clock.now();
  const lookedAtBefore = now - context.settings.recomputeIntervalSeconds;
  const due = await takeHeldPromises(db, { lookedAtBefore, now, limit });
  const bySite = new Map<string, HeldPromise[]>();
  for (const held of due) bySite.set(held.siteId, [...(bySite.get(held.siteId) ?? []), held]);
  const sites = await findSites(db, [...bySite.keys()]);
  const giveUp = (error: unknown) => logFault(context.logger, error, 'promises count as looked at');
  const looks = sites.map(async (site) => {
    const held = bySite.get(site.id) ?? [];
    try {
      await recomputeAtSite(context, site, held, now);
      return held.length;
    } catch (error) {
      logFault(context.logger, error, 'recomputing', { siteId: site.id });
      await giveBackLooks(db, held, { lookedAtBefore, now }).catch(giveUp);
      return 0;
    }
  });
  const lookedAt = (await Promise.all(looks)).reduce((sum, count) => sum + count, 0);
  context.meters.onRecomputed(lookedAt);
  return lookedAt;
}

async function recomputeAtSite(
  context: FlowContext,
  site: SiteRow,
  held: readonly HeldPromise[],
  now: EpochSeconds,
): Promise<void> {
  const margins = await loadMargins(context.database.db, site.id);
  const revised = await replanAtSite(context, site, held, margins, now);
  const changed = revised.filter((promise, n) => hasChanged(promise, held[n]));
  if (changed.length > 0) await context.database.transaction((tx) => reviseHeldPromises(tx, changed, now));
}

/** The submission times of promises that wait at one site as they look now, in their order. */
export async function replanAtSite(
  { database, forecaster, settings }: FlowContext,
  site: SiteRow,
  held: readonly HeldPromise[],
  margins: Margins,
  now: number,
): Promise<RevisedPromise[]> {
  const questions = await heldQuestions(database.db, site, held, margins, {
    now,
    lookSeconds: settings.recomputeIntervalSeconds,
  });
  const answers = await forecaster.replanReservations(site.id, questions);
  const candidates = await Promise.all(held.map(({ tenantId }) => loadCandidate(database.db, tenantId, site, now)));
  return held.map((promise, n) => {
    const answer = answers[n];
    invariant(answer, `the forecaster has not answered for execution ${promise.executionId}`);
    const billed = questions[n]?.billedProcessors ?? promise.processors;
    const revised = revisionOf(promise, answer, margins, billed, now);
    const there = candidates[n];
    const isObstructed = there !== undefined && findObstacle(there, promise, promise.startAt) !== null;
    return isObstructed ? { ...revised, currentProbability: 0 } : revised;
  });
}

function hasChanged({ submitAt, currentProbability }: RevisedPromise, before: HeldPromise | undefined): boolean {
  const movedSeconds = Math.abs(submitAt - (before?.submitAt ?? 0));
  return movedSeconds >= CLOCK_PRECISION_SECONDS || currentProbability !== before?.currentProbability;
}

function revisionOf(
  held: HeldPromise,
  { point, trajectory }: ReplanAnswer,
  margins: Margins,
  billedProcessors: number,
  now: number,
): RevisedPromise {
  const { executionId, version, wakeAt, probability, mode, startAt, windowOpensAt, holdPriceSeconds } = held;
  const submitAt = point?.submitAt ?? now;
  const margin = marginOf(held, margins);
  const aim = holdPriceSeconds === null ? aimedOfLeg(probability, margin) : undefined;
  const paddingSeconds = longestHoldSeconds(holdUntil(mode, startAt, windowOpensAt), submitAt);
  const expectedSeconds = Math.min(paddingSeconds, point?.expectedHoldSeconds ?? paddingSeconds);
  return {
    executionId,
    version,
    wakeAt,
    submitAt,
    currentProbability: worthAsPromise(point?.probability ?? 0, probability, margin, aim),
    worstPaddingProcessorSeconds: paddingSeconds * billedProcessors,
    expectedPaddingProcessorSeconds: expectedSeconds * billedProcessors,
    trajectory,
  };
}
