import { UNPLANNED } from '../../plan/reservation/life.ts';
import { changeExecution } from '../../store/execution-changes.ts';
import { assertTurn } from '../../store/turns.ts';
import type { ExecutionInHand } from '../in-hand.ts';
import { siteOf } from '../site-of.ts';
import { commitStep, type Next } from '../turn.ts';
import { holdForDeadline } from './deadline/hold-deadline.ts';
import { holdBackStep, isHeldBack, letGo } from './held-back/hold-back.ts';
import { refusalAt } from './refusals/refusals.ts';
import { stageFirst } from './submission/stage-first.ts';
import { submitStep } from './submit.ts';

/**
 * Waits for the plan's submission time, then submits. What its site has come to refuse meanwhile is planned again, and
 * so is all that waits for a site that is being removed.
 */
export async function holdStep(inHand: ExecutionInHand): Promise<Next> {
  const { context, turn, execution } = inHand;
  const now = context.clock.now();
  const site = await siteOf(context, execution);
  const replan = (reason: string | null) => {
    return commitStep(context, turn, 'AGAIN', (tx) =>
      changeExecution(tx, turn, execution, { ...UNPLANNED, reason }, now),
    );
  };
  const heldBack = isHeldBack(execution, now);
  if (site.state === 'REMOVING' && heldBack) return letGo(inHand, `${site.name} is being removed`);
  if (site.state === 'REMOVING') return replan(`${site.name} is being removed`);
  if (heldBack) return holdBackStep(inHand);
  const kept = await holdForDeadline(inHand, site);
  if (kept) return kept;
  const submitAt = execution.submitAt ?? now;
  const isDue = submitAt <= now;
  // Files are moved as soon as it is known where to. The job goes when they are there: its plan only estimates that.
  const isStaged = execution.staging !== null;
  if (isDue || isStaged) {
    const refusal = await refusalAt(context, execution, site, now);
    if (refusal) return replan(execution.reason);
    const next = await stageFirst(inHand, site);
    if (next) return next;
  }
  const goes = isDue || (isStaged && execution.attempts === 0);
  if (goes) return submitStep({ ...inHand, reservation: null });
  return commitStep(context, turn, { wakeAt: submitAt }, (tx) => assertTurn(tx, turn));
}
