import { invariant, SiteFailure, StaleTurn } from '../../domain/failures.ts';
import type { JobSpec } from '../../domain/job.ts';
import type { NativeJob, NativeRef } from '../../domain/site-adapter.ts';
import { submissionKey } from '../../domain/submission.ts';
import { holdUntil, longestHoldSeconds } from '../../plan/hold.ts';
import { withHoldPreamble } from '../../plan/hold-preamble.ts';
import type { Db } from '../../store/database.ts';
import { changeExecution, type ExecutionRow } from '../../store/executions.ts';
import { moveReservation, type ReservationRow } from '../../store/reservations.ts';
import { findSite, type SiteRow } from '../../store/sites.ts';
import { intendSubmission, listSubmissions, resolveSubmission } from '../../store/submissions.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { publicWords } from '../public-words.ts';
import { backoffSeconds, commitStep, type Next } from '../turn.ts';
import { forgetRefusals, keepRefusal, UNPLANNED, wakeRefusedPromises } from './refusals.ts';

/** Hands a held execution to its site. The intent and its key are on record before the adapter is called. */
export async function submitStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
): Promise<Next> {
  const begunAt = performance.now();
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  const attempt = execution.attempts + 1;
  const key = submissionKey(execution.id, attempt);
  const spec = nativeSpec(execution, reservation, now);
  const change = { state: 'SUBMITTING' as const, attempts: attempt, submittedWalltimeSeconds: spec.walltimeSeconds };
  const submitting = { ...execution, ...change };
  await commitStep(context, turn, 'AGAIN', async (tx) => {
    await changeExecution(tx, turn, execution, change, now);
    await intendSubmission(tx, { key, executionId: execution.id, siteId: site.id, attempt, intendedAt: now });
  });
  // A worker that was paused here for longer than its lease may have been replaced: the heir decides what became of the
  // key.
  if (performance.now() - begunAt > context.settings.leaseMilliseconds)
    throw new StaleTurn(`execution ${execution.id}`);
  try {
    const accepted = await context.adapterOf(site).submit(spec, key);
    return await recordAcceptance(context, turn, submitting, reservation, key, accepted);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    context.logger.warn(
      { executionId: execution.id, site: site.name, key, kind: error.kind, err: error },
      'submission',
    );
    if (error.kind === 'final') return reject(context, turn, submitting, reservation, key, error);
    if (error.kind === 'transient') return giveBack(context, turn, submitting, key, publicWords(error));
    return commitStep(context, turn, { wakeAt: now + context.settings.retrySeconds }, (tx) => assertTurn(tx, turn));
  }
}

/**
 * Decides a submission that is in doubt. Queue and accounting are asked for the key. One silence proves nothing: the
 * job may have run and ended already, and accounting lags. So after the command must be over the site has to be silent
 * once, and still be silent when everything that had ended by then must have reached accounting. Then the attempt
 * counts as absent, and the next one gets a fresh key.
 */
export async function resolveDoubtStep(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
): Promise<Next> {
  const adapter = context.adapterOf(await siteOf(context, execution));
  const submission = (await listSubmissions(context.database.db, execution.id)).at(-1);
  invariant(submission?.state === 'INTENDED', `execution ${execution.id} is submitting without an intent`);
  const { key, intendedAt } = submission;
  const askedAt = context.clock.now();
  const wait = (wakeAt: number, missingSince: number | null) =>
    commitStep(context, turn, { wakeAt }, (tx) => changeExecution(tx, turn, execution, { missingSince }, askedAt));
  let found: NativeJob | null;
  try {
    found = await adapter.find(key, intendedAt);
  } catch (error) {
    if (!(error instanceof SiteFailure)) throw error;
    return wait(askedAt + context.settings.observeIntervalSeconds, execution.missingSince);
  }
  if (found) return recordAcceptance(context, turn, execution, reservation, key, found);
  const commandOverAt = intendedAt + 2 * context.settings.retrySeconds;
  if (askedAt < commandOverAt) return wait(commandOverAt, null);
  const { accountingLagSeconds } = adapter.capabilities;
  if (execution.missingSince === null) return wait(askedAt + accountingLagSeconds + 1, askedAt);
  const provenAt = execution.missingSince + accountingLagSeconds + 1;
  if (askedAt < provenAt) return wait(provenAt, execution.missingSince);
  return giveBack(context, turn, execution, key, 'neither queue nor accounting know the key');
}

async function recordAcceptance(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
  key: string,
  accepted: NativeRef,
): Promise<Next> {
  const now = context.clock.now();
  const { nativeId, submittedAt } = accepted;
  const { id: executionId, requestId, siteId } = execution;
  context.logger.info({ requestId, executionId, siteId, key, nativeId }, 'accepted by its site');
  const cancelNow = execution.cancelRequestedAt !== null;
  // A promise handed to a site that is taken to be down looks for another one at once.
  const moveSoon = reservation !== null && (await siteOf(context, execution)).state === 'SUSPENDED';
  const next: Next = cancelNow || moveSoon ? 'AGAIN' : { wakeAt: reservation?.startAt ?? null };
  return commitStep(context, turn, next, async (tx) => {
    await resolveSubmission(tx, key, { state: 'ACCEPTED', nativeId, siteSays: null, resolvedAt: now });
    await forgetRefusals(tx, execution);
    const reason = await presentReason(tx, execution);
    const news = { nativeId, nativeSubmittedAt: submittedAt, missingSince: null, reason };
    const change = { state: 'QUEUED' as const, ...news };
    await changeExecution(tx, turn, execution, change, now);
    if (reservation?.state === 'PROMISED') await moveReservation(tx, reservation, 'SUBMITTED', now);
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

/**
 * The site said no. A job is planned on other sites, a promise that is nobody's leg looks for one (`move.ts`). A leg
 * has missed, and what is done about that is for its group's policy to say.
 */
async function reject(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  reservation: ReservationRow | null,
  key: string,
  failure: SiteFailure,
): Promise<Next> {
  const now = context.clock.now();
  const siteSays = publicWords(failure);
  const isPromise = reservation?.state === 'PROMISED';
  const next = await commitStep(context, turn, 'AGAIN', async (tx) => {
    await resolveSubmission(tx, key, { state: 'REJECTED', nativeId: null, siteSays, resolvedAt: now });
    await keepRefusal(tx, context, execution, siteSays, now);
    const reason = refusalReason(siteSays);
    if (isPromise && reservation.coAllocationId !== null) {
      const ended = { state: 'ENDED', outcome: 'REJECTED', reason, endedAt: now } as const;
      await changeExecution(tx, turn, execution, ended, now);
      await moveReservation(tx, reservation, 'MISSED', now);
    } else {
      const back = isPromise ? ({ state: 'HELD', submitAt: now } as const) : UNPLANNED;
      await changeExecution(tx, turn, execution, { ...back, reason, missingSince: null }, now);
    }
  });
  await wakeRefusedPromises(context, execution, siteSays, now);
  return next;
}

/** Back to `HELD`: nothing of this attempt exists at the site. The next attempt comes after a growing pause. */
async function giveBack(
  context: FlowContext,
  turn: Turn,
  execution: ExecutionRow,
  key: string,
  siteSays: string,
): Promise<Next> {
  const now = context.clock.now();
  const submitAt = now + backoffSeconds(context.settings.retrySeconds, execution.attempts);
  return commitStep(context, turn, { wakeAt: submitAt }, async (tx) => {
    await resolveSubmission(tx, key, { state: 'ABSENT', nativeId: null, siteSays, resolvedAt: now });
    await changeExecution(tx, turn, execution, { state: 'HELD', submitAt, missingSince: null, reason: siteSays }, now);
  });
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

/** Moves a reservation when it is in one of the states given; a no-op otherwise. */
export async function moveReservationFrom(
  tx: Db,
  reservation: ReservationRow | null,
  from: readonly ReservationRow['state'][],
  to: ReservationRow['state'],
  now: number,
): Promise<void> {
  if (reservation && from.includes(reservation.state)) await moveReservation(tx, reservation, to, now);
}
