import { CO_ALLOCATION_MOVES } from '../domain/co-allocation.ts';
import { isFinal } from '../domain/state-machine.ts';
import { findBulkCancel } from '../store/bulk-cancels.ts';
import { findCoAllocation } from '../store/co-allocations.ts';
import { findJobGroup } from '../store/job-groups.ts';
import { findStaging } from '../store/stagings.ts';
import type { Turn } from '../store/turns.ts';
import type { FlowContext } from './context.ts';
import type { Step } from './due-steps.ts';
import { cancelManyStep } from './steps/bulk/cancel-many.ts';
import { coAllocateStep } from './steps/co-allocate.ts';
import { groupStep } from './steps/groups/group.ts';
import { stageStep } from './steps/stage.ts';

/** What the group of an array wants done now; null once its last task has ended. */
export async function nextGroupStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const group = await findJobGroup(context.database.db, turn.id);
  if (!group || group.endedAt !== null) return null;
  return { name: 'group', run: () => groupStep(context, turn, group) };
}

/** What a wish to cancel many jobs wants done now; null once all of them have been asked for. */
export async function nextBulkCancelStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const wish = await findBulkCancel(context.database.db, turn.id);
  if (!wish || wish.endedAt !== null) return null;
  return { name: 'cancelMany', run: () => cancelManyStep(context, turn, wish) };
}

/** What the folder of a job wants done now; null once nothing more is done about it. */
export async function nextStagingStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const staging = await findStaging(context.database.db, turn.id);
  if (!staging || staging.state === 'ENDED') return null;
  return { name: 'stage', run: () => stageStep(context, turn, staging) };
}

/** What a co-allocation wants done now; null once it is decided. */
export async function nextCoAllocationStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const group = await findCoAllocation(context.database.db, turn.id);
  if (!group || isFinal(CO_ALLOCATION_MOVES, group.state)) return null;
  return { name: 'coAllocate', run: () => coAllocateStep(context, turn, group) };
}
