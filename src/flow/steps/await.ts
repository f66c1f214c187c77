import type { ExecutionChange } from '../../domain/execution.ts';
import { whatPredecessorsMean } from '../../plan/job/predecessors.ts';
import { UNPLANNED } from '../../plan/reservation/life.ts';
import { findGroupPredecessors, findPredecessors } from '../../store/dependencies.ts';
import { changeExecution } from '../../store/execution-changes.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { commitStep, type Next } from '../turn.ts';
import { aheadStep, mayGoAhead } from './ahead.ts';
import { gateStep } from './gate.ts';

/**
 * Waits for the jobs that an execution comes after; whoever writes the end of one wakes it. Then it is planned, or ends
 * when one of them has not ended as it must, or when its deadline passes. One that is to be ahead of the end is looked
 * after by `ahead.ts` as soon as it waits for a single one.
 */
export async function awaitStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, turn, execution } = inHand;
  if (execution.state === 'QUEUED' || execution.state === 'RUNNING') return gateStep(inHand);
  const now = context.clock.now();
  const found = await findPredecessors(context.database.db, [execution.id]);
  const groups = await findGroupPredecessors(context.database.db, [execution.id]);
  const jobs = found.map(({ condition, predecessor }) => ({ ...predecessor, condition }));
  const means = whatPredecessorsMean([...jobs, ...groups]);
  const write = (next: Next, change: ExecutionChange) =>
    commitStep(context, turn, next, (tx) => changeExecution(tx, turn, execution, change, now));
  switch (means.kind) {
    case 'WAIT': {
      const endsAt = execution.finishProbability === null ? execution.deadlineAt : null;
      if (endsAt !== null && endsAt < now) {
        const reason = `its deadline passed: ${means.reason}`;
        return write('AGAIN', { state: 'ENDED', outcome: 'REJECTED', reason, endedAt: now });
      }
      const open = found.filter(({ predecessor }) => predecessor.state !== 'ENDED' || predecessor.areOutputsMoving);
      const [last] = open.length === 1 && groups.length === 0 ? open : [];
      if (last && last.predecessor.state !== 'ENDED' && mayGoAhead(execution))
        return aheadStep(inHand, last.predecessor, means.reason);
      return write({ wakeAt: endsAt && endsAt + 1 }, { ...WAITING, reason: means.reason });
    }
    case 'GO': {
      const { readyAt } = means;
      return write('AGAIN', { ...WAITING, ...UNPLANNED, awaits: false, readyAt, reason: null });
    }
    case 'NEVER':
      return write('AGAIN', { state: 'ENDED', outcome: 'CANCELLED', reason: means.reason, endedAt: now });
  }
}

/** Nothing is planned of it while it waits. */
const WAITING = { state: 'HELD', siteId: null, siteQueue: null, submitAt: null, gateSeconds: null } as const;
