import type { EpochSeconds } from '../../../domain/clock.ts';
import { type RecordedFault, type StagingState, withLastStatus } from '../../../domain/staging.ts';
import type { Db } from '../../../store/database.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { wakeRow, wakeSuccessors } from '../../../store/outbox.ts';
import {
  changeStaging,
  endOldestKept,
  failFiles,
  forgetAddresses,
  forgetRequestedAddresses,
  skipFiles,
} from '../../../store/stagings.ts';
import { commitStep, type Next } from '../../turn.ts';
import type { StagingInHand } from '../stage.ts';

/**
 * Writes down that the folder of a job is in another state now, and wakes the job that waits for that. Files that are
 * still to be moved then have failed by the fault, or are not wanted any more where there is none.
 */
export function passTo(inHand: StagingInHand, to: StagingState, because: RecordedFault | null): Promise<Next> {
  const { context, turn, staging, execution } = inHand;
  const { id: stagingId, executionId } = staging;
  const now = context.clock.now();
  const { deadlineSeconds, keptSeconds, mostKept } = context.settings.staging;
  const fault = because && withLastStatus(because, staging.fault);
  const isOver = to === 'ENDED';
  const isMoved = isOver || to === 'KEPT';
  const begins = to === 'READY' ? {} : { deadlineAt: now + (to === 'KEPT' ? keptSeconds : deadlineSeconds) };
  const isWanted = to === 'READY' || to === 'EMPTYING';
  context.logger.info({ executionId, stagingId, to, fault }, 'staging');
  return commitStep(context, turn, isOver ? { wakeAt: null } : 'AGAIN', async (tx) => {
    // Executions are locked before what is moved for them.
    if (isMoved && execution.state === 'ENDED') await forgetRequestedAddresses(tx, execution);
    if (!isWanted && execution.state === 'ENDED') await wakeAfter(tx, execution, now);
    if (staging.state === 'FILLING') await wakeRow(tx, 'Execution', executionId, now, null);
    const kept = isMoving(staging.state) ? fault : (staging.fault as RecordedFault | null);
    const change = { state: to, faults: 0, fault: to === 'READY' ? null : kept, ...begins };
    await changeStaging(tx, turn, staging, { ...change, ...(isOver && { endedAt: now }) });
    if (to === 'KEPT') await endOldestKept(tx, staging, mostKept, now);
    if (isWanted) return;
    if (because !== null && isMoving(staging.state)) await failFiles(tx, staging, because);
    await skipFiles(tx, stagingId);
    await forgetAddresses(tx, staging);
  });
}

/** What comes after a job comes after its outputs, too. */
async function wakeAfter(tx: Db, { id, groupId }: ExecutionRow, now: EpochSeconds): Promise<void> {
  await wakeSuccessors(tx, id, now);
  if (groupId !== null) await wakeRow(tx, 'JobGroup', groupId, now, null);
}

function isMoving(state: StagingState): boolean {
  return state === 'FILLING' || state === 'EMPTYING';
}
