import { formatSeconds } from '../../../domain/duration.ts';
import { isPassing } from '../../../domain/loss-reason.ts';
import { forecastsOf } from '../../../forecast/plan-forecasts.ts';
import { lastStartAt } from '../../../plan/deadline/deadline-facts.ts';
import { whyNone } from '../../../plan/job/explain.ts';
import { momentText } from '../../../plan/unusable.ts';
import { changeExecution } from '../../../store/execution-changes.ts';
import { savePlan } from '../../../store/plans.ts';
import type { ExecutionInHand } from '../../in-hand.ts';
import { commitStep, type Next } from '../../turn.ts';
import type { MadePlan } from './plan-request.ts';

/**
 * No site takes it now. It waits for those that may later, not beyond its deadline and not for ever; then it is
 * rejected.
 */
export function waitOrReject(
  { context, turn, execution }: ExecutionInHand,
  made: MadePlan,
  now: number,
): Promise<Next> {
  const { plan } = made;
  const { observeIntervalSeconds, patienceSeconds } = context.settings;
  const beganAt = execution.readyAt ?? execution.createdAt;
  const why = whyNone(plan.candidates);
  const lastAt = Math.min(beganAt + patienceSeconds, lastStartAt(execution));
  const mayPass = plan.candidates.some(({ lostBecause }) => isPassing(lostBecause));
  if (mayPass && now < lastAt) {
    const reason = `no site can take it yet; it is tried until ${momentText(lastAt)}: ${why}`;
    return commitStep(context, turn, { wakeAt: Math.min(lastAt, now + observeIntervalSeconds) }, (tx) =>
      changeExecution(tx, turn, execution, { reason }, now),
    );
  }
  const waited = mayPass ? ` in the ${formatSeconds(now - beganAt)} that it has waited` : '';
  const reason = why === '' ? 'no site is registered' : `no site can take it${waited}: ${why}`;
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await savePlan(tx, execution.id, plan, forecastsOf(made));
    await changeExecution(tx, turn, execution, { state: 'ENDED', outcome: 'REJECTED', reason, endedAt: now }, now);
  });
}
