import { cancelIfWanted, shareIntake } from '../store/bulk-cancels.ts';
import type { Db } from '../store/database.ts';
import { createExecution } from '../store/executions.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { assertRoomForJobs } from './carry-out/room-for-jobs.ts';
import { isAfterOthers, lockOrder, orderOf } from './input/dependencies.ts';
import { checkJob, type JobInput } from './input/job-input.ts';
import { foundBy } from './input/labels.ts';
import { retryColumns } from './input/retry-input.ts';
import { newExecution } from './input/work-input.ts';
import { newFinishPromise, writeFinishPromise } from './offers/finish-promise.ts';
import { takenWalltime } from './offers/takers.ts';

/** A job to be run wherever it is predicted to end first. */
export interface SubmitJobInput extends JobInput, Idempotent {}

/**
 * Takes a job in. Returning means it is written down together with the wake-up that gets it planned; a site that is out
 * of sight just now does not keep it out. One that comes after others waits for them first. One that is to finish by a
 * deadline is planned and promised at once.
 * @throws FinishRefused with the best on offer when no site can promise the finish that is asked for
 * @throws CallerError when the input is invalid, names jobs that are not its tenant's, no site could ever take it,
 * or the tenant has too many open jobs
 */
export function submitJob(
  context: CommandContext,
  principal: Principal,
  input: SubmitJobInput,
): Promise<{ executionId: string }> {
  return carryOut(context, principal, 'submitJob', input, async (commit) => {
    const now = context.clock.now();
    const choices = checkJob(context, input, now);
    await assertRoomForJobs(context, principal, 1);
    if (input.finishBy) {
      const promised = await newFinishPromise(context, principal, { ...input, finishBy: input.finishBy }, choices, now);
      const request = { ...promised.request, ...foundBy(input) };
      return commit(async (tx) => {
        await shareIntake(tx, principal.tenantId);
        const written = await writeFinishPromise(tx, { ...promised, request });
        await cancelIfWanted(tx, principal.tenantId, { id: written.executionId }, now);
        return written;
      });
    }
    const walltimeSeconds = await takenWalltime(context, principal, input, choices, now);
    // One that locks others would keep those waiting that it shares a transaction with.
    const isShared = !isAfterOthers(input);
    const write = async (tx: Db) => {
      const { deadlineAt, auto = null } = input;
      await shareIntake(tx, principal.tenantId);
      const saveOrder = await lockOrder(tx, principal, input);
      const timed = { ...input, walltimeSeconds };
      const request = newExecution(context, principal, timed, deadlineAt, now, { auto, choices });
      const { maxDelaySeconds = null, avoidIoBurstsSeconds = null } = input;
      const own = {
        ...request,
        maxDelaySeconds,
        avoidIoBurstsSeconds,
        ...orderOf(input),
        ...foundBy(input),
        ...retryColumns(input),
      };
      const { id: executionId } = await createExecution(tx, own, null);
      await saveOrder(executionId);
      await enqueueWakeUps(tx, [
        { kind: 'EXECUTION', targetId: executionId, wakeAt: now, requestId: context.requestId },
      ]);
      await cancelIfWanted(tx, principal.tenantId, { id: executionId }, now);
      return { executionId };
    };
    return commit(write, { isShared });
  });
}
