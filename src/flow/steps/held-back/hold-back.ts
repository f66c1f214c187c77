import type { EpochSeconds } from '../../../domain/clock.ts';
import type { Submission } from '../../../domain/job.ts';
import { askedJob } from '../../../forecast/asked-job.ts';
import { expectedRunSeconds, predictedResponses } from '../../../forecast/delay-options.ts';
import { calmSubmitAt } from '../../../forecast/io-delays.ts';
import { isWorthDelaying } from '../../../plan/job/delay.ts';
import { asRuntime, RUNTIME } from '../../../predict/quantities.ts';
import { changeExecution } from '../../../store/execution-changes.ts';
import { moveUpBehind } from '../../../store/hold-queues.ts';
import { lockAssignments } from '../../../store/on-the-way.ts';
import { assertTurn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { siteOf } from '../../site-of.ts';
import { commitStep, type Next } from '../../turn.ts';

type Execution = ExecutionInHand['execution'];

/** Whether a job is held back before its first submission, on its own account or behind another. */
export function isHeldBack({ heldBackSince, attempts, submitAt }: Execution, now: EpochSeconds): boolean {
  return heldBackSince !== null && attempts === 0 && submitAt !== null && submitAt > now;
}

/**
 * Waits with a job that is held back. One that is so on its own account is looked at again with every look at its site,
 * and goes at once when its response is not predicted to be any lower for waiting; who is behind it waits for its
 * moment. Neither waits longer than its caller wants any more.
 */
export async function holdBackStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, turn, execution } = inHand;
  const now = context.clock.now();
  const submitAt = execution.submitAt ?? now;
  const because = await whyGo(context, execution, now);
  if (because !== null) return letGo(inHand, because);
  const isHead = execution.heldBackBehindId === null;
  const wakeAt = isHead ? Math.min(submitAt, now + context.settings.observeIntervalSeconds) : submitAt;
  return commitStep(context, turn, { wakeAt }, (tx) => assertTurn(tx, turn));
}

/** Has a job that is held back go now, and moves up those behind it by as much: they keep their order and distances. */
export function letGo({ context, turn, execution }: ExecutionInHand, reason: string): Promise<Next> {
  const now = context.clock.now();
  const { id, siteId, submitAt, heldBackBehindId } = execution;
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    if (siteId !== null) await lockAssignments(tx, siteId);
    const change = { submitAt: Math.floor(now * MILLISECONDS) / MILLISECONDS, reason };
    await changeExecution(tx, turn, execution, change, now);
    if (heldBackBehindId === null) await moveUpBehind(tx, id, (submitAt ?? now) - now, now);
  });
}

/** Null while it had better wait. */
async function whyGo(context: FlowContext, execution: Execution, now: EpochSeconds): Promise<string | null> {
  const { maxDelaySeconds, avoidIoBurstsSeconds } = execution;
  if (!maxDelaySeconds && !avoidIoBurstsSeconds) return 'it is not held back any longer, as its caller asked';
  const { siteId, submitAt, heldBackBehindId } = execution;
  if (heldBackBehindId !== null || siteId === null || submitAt === null) return null;
  const { walltimeSeconds } = execution;
  const { work, atSite: job } = await askedJob(context.database.db, execution, await siteOf(context, execution), now);
  const [said] = await context.forecaster.forecastOthers(siteId, RUNTIME.name, [work]);
  const runSeconds = expectedRunSeconds({ runtime: said ? asRuntime(said) : null, walltimeSeconds });
  if (avoidIoBurstsSeconds && (await meetsBurst(context, siteId, job, runSeconds))) return null;
  if (!maxDelaySeconds) return 'it was held back until it was not predicted to start into a burst of IO any more';
  const question = { jobs: [job], now, laterAt: submitAt, latestAt: submitAt };
  const answer = await context.forecaster.forecastDelay(siteId, question);
  const [wait] = answer?.waits ?? [];
  if (!wait || isWorthDelaying(predictedResponses(wait, runSeconds, submitAt - now), 0)) return null;
  return 'it was held back until it was not predicted to end any sooner for that';
}

/** Whether a job that was submitted now would start into a burst of its site's IO. */
async function meetsBurst(
  { forecaster }: FlowContext,
  siteId: string,
  job: Submission,
  runSeconds: number,
): Promise<boolean> {
  const [wait] = await forecaster.forecastWaits(siteId, [job]);
  if (!wait) return false;
  const asked = { siteId, job, runSeconds, waitSeconds: wait.pointSeconds, latestAt: Number.POSITIVE_INFINITY };
  return (await calmSubmitAt(forecaster, asked, job.submitAt)) > job.submitAt;
}

const MILLISECONDS = 1000;
