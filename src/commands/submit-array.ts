import { cancelIfWanted, shareIntake } from '../store/bulk-cancels.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { createJobGroup } from '../store/tasks.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { assertRoomForJobs } from './carry-out/room-for-jobs.ts';
import { checkArray, indexesOf, type TasksInput } from './input/array-input.ts';
import type { JobInput } from './input/job-input.ts';
import { foundBy } from './input/labels.ts';
import { retryColumns } from './input/retry-input.ts';
import { newExecution } from './input/work-input.ts';
import { takenWalltime } from './offers/takers.ts';

/** Many jobs that differ in nothing but an index. */
export interface SubmitArrayInput
  extends Omit<
      JobInput,
      'after' | 'startAfter' | 'finishBy' | 'maxDelaySeconds' | 'avoidIoBurstsSeconds' | 'sizes' | 'speedup'
    >,
    TasksInput,
    Idempotent {}

/**
 * Takes an array in: a group and a row for each task, written by grouped statements in one transaction with the one
 * wake-up that gets the first of them planned. Its tasks ask forecasts once for all, and go to sites as these have
 * room.
 * @throws CallerError when the input is invalid, no site could ever take a task, or the tenant has too many open jobs
 */
export function submitArray(
  context: CommandContext,
  principal: Principal,
  input: SubmitArrayInput,
): Promise<{ groupId: string }> {
  return carryOut(context, principal, 'submitArray', input, async (commit) => {
    const now = context.clock.now();
    const choices = checkArray(context, input, now);
    await assertRoomForJobs(context, principal, input.tasks);
    const walltimeSeconds = await takenWalltime(context, principal, input, choices, now);
    const { deadlineAt, auto = null, limit = null } = input;
    const work = newExecution(context, principal, { ...input, walltimeSeconds }, deadlineAt, now, { auto, choices });
    const task = { ...work, ...foundBy(input), ...retryColumns(input) };
    return commit(
      async (tx) => {
        await shareIntake(tx, principal.tenantId);
        const groupId = await createJobGroup(tx, { task, indexes: indexesOf(input), mostAtOnce: limit });
        const { requestId } = context;
        await enqueueWakeUps(tx, [{ kind: 'JOB_GROUP', targetId: groupId, wakeAt: now, requestId }]);
        await cancelIfWanted(tx, principal.tenantId, { groupId }, now);
        return { groupId };
      },
      { timeoutMilliseconds: WRITING_MILLISECONDS },
    );
  });
}

/** So long writing the largest array may take on a busy machine. */
const WRITING_MILLISECONDS = 25_000;
