import { invariant, SiteFailure, StaleTurn } from '../../domain/failures.ts';
import type { JobSpec } from '../../domain/job.ts';
import type { NativeJob, NativeRef } from '../../domain/site-adapter.ts';
import { submissionKey } from '../../domain/submission.ts';
import { holdUntil, longestHoldSeconds } from '../../plan/hold.ts';
import { withHoldPreamble } from '../../plan/hold-preamble.ts';
import {
  noMoves,
  whatAbsenceMeans,
  whatAcceptanceMeans,
  whatIntentMeans,
  whatRefusalMeans,
} from '../../plan/reservation/life.ts';
import type { Db } from '../../store/database.ts';
import type { ExecutionRow } from '../../store/executions.ts';
import type { ReservationRow } from '../../store/reservations.ts';
import { findSite, type SiteRow } from '../../store/sites.ts';
import { intendSubmission, listSubmissions, resolveSubmission } from '../../store/submissions.ts';
import type { FlowContext } from '../context.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { publicWords } from '../public-words.ts';
import { backoffSeconds, type Next } from '../turn.ts';
import { writeMoves } from '../write-moves.ts';
import { forgetRefusals, keepRefusal, wakeRefusedPromises } from './refusals/refusals.ts';

/** Hands a held execution to its site. The intent and its key are on record before the adapter is called. */
export async function submitStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const begunAt = performance.now();
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  const attempt = execution.attempts + 1;
  const key = submissionKey(execution.id, attempt);
  const spec = nativeSpec(execution, reservation, now);
  const moves = whatIntentMeans(execution, spec.walltimeSeconds, now);
  await writeMoves(inHand, moves, (tx) =>
    intendSubmission(tx, { key, executionId: execution.id, siteId: site.id, attempt, intendedAt: now }),
  );
  const submitting = { ...inHand, execution: { ...execution, state: 'SUBMITTING' as const, attempts: attempt } };
  // A worker that was paused here for longer than its lease may have been replaced: the heir decides what became of the
  // key.
  if (performance.now() - begunAt > context.settings.leaseMilliseconds)
    throw new StaleTurn(`execution ${execution.id}`);
  try {
    const accepted = await context.adapterOf(site).submit(spec, key);
    return await recordAcceptance(submitting, key, accepted);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    context.logger.warn(
      { executionId: execution.id, site: site.name, key, kind: error.kind, err: error },
      'submission',
    );
    if (error.kind === 'final') return reject(submitting, key, error);
    if (error.kind === 'transient') return giveBack(submitting, key, publicWords(error));
    return writeMoves(submitting, noMoves(now, { at: now + context.settings.retrySeconds }));
  }
}

/**
 * Decides a submission that is in doubt. Queue and accounting are asked for the key. One silence proves nothing: the
 * job may have run and ended already, and accounting lags. So after the command must be over the site has to be silent
 * once, and still be silent when everything that had ended by then must have reached accounting. Then the attempt
 * counts as absent, and the next one gets a fresh key.
 */
export async function resolveDoubtStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, execution } = inHand;
  const adapter = context.adapterOf(await siteOf(context, execution));
  const submission = (await listSubmissions(context.database.db, execution.id)).at(-1);
  invariant(submission?.state === 'INTENDED', `execution ${execution.id} is submitting without an intent`);
  const { key, intendedAt } = submission;
  const askedAt = context.clock.now();
  const wait = (at: number, missingSince: number | null) =>
    writeMoves(inHand, { ...noMoves(askedAt, { at }), execution: { missingSince } });
  let found: NativeJob | null;
  try {
    found = await adapter.find(key, intendedAt);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    return wait(askedAt + context.settings.observeIntervalSeconds, execution.missingSince);
  }
  if (found) return recordAcceptance(inHand, key, found);
  const commandOverAt = intendedAt + 2 * context.settings.retrySeconds;
  if (askedAt < commandOverAt) return wait(commandOverAt, null);
  const { accountingLagSeconds } = adapter.capabilities;
  if (execution.missingSince === null) return wait(askedAt + accountingLagSeconds + 1, askedAt);
  const provenAt = execution.missingSince + accountingLagSeconds + 1;
  if (askedAt < provenAt) return wait(provenAt, execution.missingSince);
  return giveBack(inHand, key, 'neither queue nor accounting know the key');
}

async function recordAcceptance(inHand: ExecutionInHand, key: string, accepted: NativeRef): Promise<Next> {
  const { context, execution, reservation } = inHand;
  const now = context.clock.now();
  const { nativeId } = accepted;
  const { id: executionId, requestId, siteId } = execution;
  context.logger.info({ requestId, executionId, siteId, key, nativeId }, 'accepted by its site');
  const cancelNow = execution.cancelRequestedAt !== null;
  // A promise handed to a site that is taken to be down looks for another one at once.
  const moveSoon = reservation !== null && (await siteOf(context, execution)).state === 'SUSPENDED';
  const reason = await presentReason(context.database.db, execution);
  const moves = whatAcceptanceMeans(inHand, accepted, { reason, isUnsettled: cancelNow || moveSoon, now });
  return writeMoves(inHand, moves, async (tx) => {
    await resolveSubmission(tx, key, { state: 'ACCEPTED', nativeId, siteSays: null, resolvedAt: now });
    await forgetRefusals(tx, execution);
  });
}

/**
 * Why an execution is where it is now. Why an earlier attempt failed is told with that attempt and is not why the job
 * waits.
 */
async function presentReason(tx: Db, { id, reason }: ExecutionRow): Promise<string | null> {
  const attempts = reason === null ? [] : await listSubmissions(tx, id);
  const isPast = attempts.some(({ siteSays }) => reason === siteSays || reason === refusalReason(siteSays ?? ''));
  return isPast ? null : reason;
}

function refusalReason(siteSays: string): string {
  return `the site refused it: ${siteSays}`;
}

/** The site said no. What it refuses is kept in mind, and told to the promises that it is refused to as well. */
async function reject(inHand: ExecutionInHand, key: string, failure: SiteFailure): Promise<Next> {
  const { context, execution } = inHand;
  const now = context.clock.now();
  const siteSays = publicWords(failure);
  const next = await writeMoves(inHand, whatRefusalMeans(inHand, refusalReason(siteSays), now), async (tx) => {
    await resolveSubmission(tx, key, { state: 'REJECTED', nativeId: null, siteSays, resolvedAt: now });
    await keepRefusal(tx, context, execution, siteSays, now);
  });
  await wakeRefusedPromises(context, execution, siteSays, now);
  return next;
}

/** Back to `HELD`: nothing of this attempt exists at the site. The next attempt comes after a growing pause. */
async function giveBack(inHand: ExecutionInHand, key: string, siteSays: string): Promise<Next> {
  const { context, execution } = inHand;
  const now = context.clock.now();
  const submitAt = now + backoffSeconds(context.settings.retrySeconds, execution.attempts);
  return writeMoves(inHand, whatAbsenceMeans(siteSays, submitAt, now), (tx) =>
    resolveSubmission(tx, key, { state: 'ABSENT', nativeId: null, siteSays, resolvedAt: now }),
  );
}

/** The job as the site sees it: for a reservation with padded walltime and the preamble that holds until its moment. */
function nativeSpec(execution: ExecutionRow, reservation: ReservationRow | null, now: number): JobSpec {
  const { name, script, arguments: args, processors, walltimeSeconds, siteQueue: queue } = execution;
  const spec = { name, script, arguments: args, processors, walltimeSeconds, queue };
  const holdUntilAt = reservation && holdUntil(reservation.mode, reservation.startAt, reservation.windowOpensAt);
  if (holdUntilAt === null || holdUntilAt <= now) return spec;
  return {
    ...spec,
    script: withHoldPreamble(script, holdUntilAt),
    walltimeSeconds: walltimeSeconds + Math.ceil(longestHoldSeconds(holdUntilAt, now)),
  };
}

/** The site an execution was assigned to. */
export async function siteOf(context: FlowContext, execution: ExecutionRow): Promise<SiteRow> {
  const site = execution.siteId === null ? null : await findSite(context.database.db, execution.siteId);
  invariant(site, `execution ${execution.id} has no site`);
  return site;
}
