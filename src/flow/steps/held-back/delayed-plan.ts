import type { EpochSeconds } from '../../../domain/clock.ts';
import type { Candidate, Plan } from '../../../domain/plan.ts';
import type { DelayedOptions } from '../../../forecast/delayed-options.ts';
import type { Db } from '../../../store/database.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { findHoldQueues } from '../../../store/hold-queues.ts';

/** Until when a job may be held back: as long as its caller lets it be, from when nothing else kept it waiting. */
export function latestSubmitAt({ createdAt, readyAt, maxDelaySeconds }: ExecutionRow): EpochSeconds {
  return (readyAt ?? createdAt) + (maxDelaySeconds ?? 0);
}

/** Until when it may be held back for a burst of its site's IO, likewise. */
export function latestForBursts({ createdAt, readyAt, avoidIoBurstsSeconds }: ExecutionRow): EpochSeconds {
  return (readyAt ?? createdAt) + (avoidIoBurstsSeconds ?? 0);
}

/** Whether the tenant's hold queue at the chosen site has become another one than the job was planned with. */
export async function isHoldQueueChanged(
  tx: Db,
  { tenantId, maxDelaySeconds }: ExecutionRow,
  { holdQueues }: DelayedOptions,
  { siteId }: Candidate,
  now: number,
): Promise<boolean> {
  if (!maxDelaySeconds) return false;
  const queue = (await findHoldQueues(tx, tenantId, now, [siteId])).get(siteId);
  const before = holdQueues.get(siteId);
  return queue?.last.submitAt !== before?.last.submitAt || queue?.jobs !== before?.jobs;
}

/** What is written down of a job that is submitted later; nothing holds it back when it goes at once. */
export function holdingBack({ asked, holdQueues }: DelayedOptions, plan: Plan, chosen: Candidate) {
  if (chosen.submitAt <= plan.madeAt) return { heldBackSince: null, heldBackBehindId: null };
  const isBehind = asked[plan.candidates.indexOf(chosen)]?.isHeldBehind ?? false;
  const headId = holdQueues.get(chosen.siteId)?.headId ?? null;
  return { heldBackSince: plan.madeAt, heldBackBehindId: isBehind ? headId : null };
}
