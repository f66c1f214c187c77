import { formatSeconds } from '../../../domain/duration.ts';
import { isPassing } from '../../../domain/loss-reason.ts';
import type { Plan } from '../../../domain/plan.ts';
import { lastStartAt } from '../../../plan/deadline/deadline-facts.ts';
import { whyNone } from '../../../plan/job/explain.ts';
import { momentText } from '../../../plan/unusable.ts';
import { describeGroup } from '../../../store/job-groups.ts';
import { wakeSuccessors } from '../../../store/outbox.ts';
import { lockTasksLike, rejectTasks, withSuccessors } from '../../../store/tasks.ts';
import type { Turn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import { commitStep, type Next } from '../../turn.ts';
import type { WaitingGroup } from './let-tasks-go.ts';

/**
 * No site takes the waiting tasks now. They wait for those that may later, not beyond their deadline and not for ever;
 * then they are rejected, some at a time.
 */
export function endWithoutSite(
  context: FlowContext,
  turn: Turn,
  { group, task }: WaitingGroup,
  { candidates }: Plan,
): Promise<Next> {
  const now = context.clock.now();
  const { observeIntervalSeconds, patienceSeconds } = context.settings;
  const stuckSince = group.stuckSince ?? now;
  const why = whyNone(candidates);
  const lastAt = Math.min(stuckSince + patienceSeconds, lastStartAt(task));
  if (candidates.some(({ lostBecause }) => isPassing(lostBecause)) && now < lastAt) {
    const reason = `no site can take its tasks yet; it is tried until ${momentText(lastAt)}: ${why}`;
    const wakeAt = Math.min(lastAt, now + observeIntervalSeconds);
    return commitStep(context, turn, { wakeAt }, (tx) => describeGroup(tx, turn, group, { reason, stuckSince }));
  }
  const waited = now > stuckSince ? ` in the ${formatSeconds(now - stuckSince)} that it has waited` : '';
  const reason = why === '' ? 'no site is registered' : `no site can take it${waited}: ${why}`;
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    const ids = await lockTasksLike(tx, task, MOST_AT_ONCE);
    await rejectTasks(tx, ids, reason, now);
    for (const id of await withSuccessors(tx, ids)) await wakeSuccessors(tx, id, now);
    await describeGroup(tx, turn, group, { reason, stuckSince });
  });
}

/** Tasks that are rejected in one transaction. */
const MOST_AT_ONCE = 500;
