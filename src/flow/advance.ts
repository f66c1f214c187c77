import type { WakeUp } from '../store/outbox.ts';
import { claimDueTurn, findWakeAt, type Turn, type TurnTable } from '../store/turns.ts';
import type { FlowContext } from './context.ts';
import { holdTurn } from './hold-turn.ts';
import { nextStep } from './next-step.ts';
import { runStep } from './run-step.ts';
import { endTurn, leaseOf, type Next } from './turn.ts';
import type { WakeUpResult } from './wake-up-jobs.ts';

const TABLES = {
  EXECUTION: 'Execution',
  SITE: 'Site',
  CO_ALLOCATION: 'CoAllocation',
  JOB_GROUP: 'JobGroup',
  BULK_CANCEL: 'BulkCancel',
  STAGING: 'Staging',
} as const satisfies Record<WakeUp['kind'], TurnTable>;

/** Moments are stored to the millisecond. */
const CLOCK_PRECISION_SECONDS = 0.001;

/**
 * Takes the turn that a row wants by now and carries out its steps until it has to wait. What is to be done, and when,
 * is read from the row: a wake-up that is outdated, comes twice or meets another worker at the row does nothing and
 * leaves nothing behind, for every turn ends with the one wake-up that its row wants. A turn lost to another worker
 * ends quietly.
 */
export async function advance(context: FlowContext, wakeUp: WakeUp): Promise<WakeUpResult> {
  const { database, clock } = context;
  const table = TABLES[wakeUp.kind];
  const turn = await claimDueTurn(database.db, table, wakeUp.targetId, await leaseOf(context), clock.now());
  if (!turn) return notDue(context, table, wakeUp);
  const latenessSeconds = turn.wakeAt === null ? -1 : context.clock.now() - turn.wakeAt;
  if (latenessSeconds >= 0) context.meters.onWakeUp(latenessSeconds);
  await holdTurn(context, turn, () => runSteps(context, wakeUp, turn));
  return 'DONE';
}

async function runSteps(context: FlowContext, wakeUp: WakeUp, turn: Turn): Promise<void> {
  for (let next: Next | 'STALE' = 'AGAIN'; next === 'AGAIN'; ) {
    const step = await nextStep(context, turn);
    if (!step) return context.database.transaction((tx) => endTurn(tx, turn, null));
    next = await runStep(context, wakeUp, step);
  }
}

/**
 * The wake-up that the row waits for comes again when it was early, by a clock of another machine or a fraction of a
 * millisecond.
 */
async function notDue({ database, clock }: FlowContext, table: TurnTable, wakeUp: WakeUp): Promise<WakeUpResult> {
  const wakeAt = await findWakeAt(database.db, table, wakeUp.targetId);
  const isAwaited = wakeAt !== null && Math.abs(wakeAt - wakeUp.wakeAt) <= CLOCK_PRECISION_SECONDS;
  return isAwaited ? { againInMilliseconds: Math.max(1, clock.wallMillisecondsUntil(wakeAt)) } : 'DONE';
}
