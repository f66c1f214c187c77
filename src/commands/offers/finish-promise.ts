import type { EpochSeconds } from '../../domain/clock.ts';
import type { AutoWalltime } from '../../domain/plan.ts';
import { forecastsOf, forecastsOfOthers } from '../../forecast/plan-forecasts.ts';
import type { Db } from '../../store/database.ts';
import { type Assignment, createExecution, type NewExecution } from '../../store/executions.ts';
import { enqueueWakeUps } from '../../store/outbox.ts';
import { type MadeForecast, savePlan } from '../../store/plans.ts';
import type { Principal } from '../../store/principals.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { FinishInput } from '../input/finish-input.ts';
import type { ChoicesInput, toChoices } from '../input/plan-choices.ts';
import { termsOf } from '../input/plan-terms.ts';
import { asksOf, newExecution, toProgram, type WorkInput } from '../input/work-input.ts';
import { allowedSites, assertStillTakeWork } from './eligible-sites.ts';
import { type FinishPromise, promiseFinish } from './finish-offers.ts';

/** A job that is to finish by a deadline. */
export interface FinishedWork extends WorkInput, ChoicesInput {
  readonly auto?: AutoWalltime;
  readonly finishBy: FinishInput;
}

/** Everything that a job with a promised finish is written down as. */
export interface NewFinishPromise {
  readonly promise: FinishPromise;
  readonly request: NewExecution;
  readonly assignment: Assignment;
  readonly forecasts: readonly MadeForecast[];
}

/**
 * Promises the finish of a job at the site that is chosen for it.
 * @throws FinishRefused, CallerError as `promiseFinish` does
 */
export async function newFinishPromise(
  context: CommandContext,
  principal: Principal,
  input: FinishedWork,
  choices: ReturnType<typeof toChoices>,
  now: EpochSeconds,
): Promise<NewFinishPromise> {
  const { processors, walltimeSeconds, resources, auto = null, queue, finishBy } = input;
  const sites = await allowedSites(context.database.db, input, 'input');
  const terms = { ...termsOf(input), ...asksOf(input), ...choices };
  const owner = { tenantId: principal.tenantId, principalId: principal.id };
  const what = { processors, walltimeSeconds, resources, auto, ...toProgram(input) };
  const request = { ...what, queue, deadlineAt: null, finishBy, ...terms };
  const promise = await promiseFinish(context, owner, sites, request, now);
  const { chosen, promised } = promise;
  const work = { ...input, processors: chosen.processors, walltimeSeconds: chosen.walltimeSeconds };
  const stated = { processors, walltimeSeconds };
  return {
    promise,
    request: {
      ...newExecution(context, principal, work, finishBy.at, now, { auto, choices: { ...choices, stated } }),
      ...(auto && { walltimePredictor: chosen.runtime?.predictor ?? null }),
      finishProbability: finishBy.probability,
      promisedFinishProbability: promised,
      currentFinishProbability: promised,
      ifDeadlineMissed: finishBy.ifMissed,
    },
    assignment: { siteId: chosen.siteId, siteQueue: chosen.queue, submitAt: chosen.submitAt },
    forecasts: [...forecastsOf(promise), ...(await forecastsOfOthers(context.forecaster, promise))],
  };
}

/**
 * Writes a job down with its promise and its plan, and wakes it.
 * @throws CallerError SITE_CHANGED when its site takes no work since a moment ago
 */
export async function writeFinishPromise(
  tx: Db,
  { promise, request, assignment, forecasts }: NewFinishPromise,
): Promise<{ executionId: string }> {
  await assertStillTakeWork(tx, [promise.site]);
  const { id: executionId } = await createExecution(tx, request, assignment);
  await savePlan(tx, executionId, promise.plan, forecasts);
  const { now, requestId } = request;
  await enqueueWakeUps(tx, [{ kind: 'EXECUTION', targetId: executionId, wakeAt: now, requestId }]);
  return { executionId };
}
