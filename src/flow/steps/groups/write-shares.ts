import { forecastsOf } from '../../../forecast/plan-forecasts.ts';
import { planOfShare, type TaskShare } from '../../../plan/job/spread-tasks.ts';
import type { Db } from '../../../store/database.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { lockAssignments } from '../../../store/on-the-way.ts';
import { lockSitesThatTakeWork } from '../../../store/open-sites.ts';
import { savePlan } from '../../../store/plans.ts';
import { lockTasksLike, releaseTasks } from '../../../store/tasks.ts';
import type { MadePlan } from '../planning/plan-request.ts';

/** Writes down which tasks go where. A site that takes no work any more gets none: the next look chooses again. */
export async function writeShares(
  tx: Db,
  task: ExecutionRow,
  { made, isNew, shares }: { made: MadePlan; isNew: boolean; shares: readonly TaskShare[] },
  now: number,
): Promise<void> {
  const siteIds = shares.map(({ candidate }) => candidate.siteId).sort();
  for (const siteId of siteIds) await lockAssignments(tx, siteId);
  const open = await lockSitesThatTakeWork(tx, siteIds);
  const going = shares.filter(({ candidate }) => open.has(candidate.siteId));
  const ids = await lockTasksLike(
    tx,
    task,
    going.reduce((sum, { tasks }) => sum + tasks, 0),
  );
  for (const { candidate, tasks } of going) {
    const own = ids.splice(0, tasks);
    const [first] = own;
    if (first === undefined) return;
    const plan = planOfShare(made.plan, candidate);
    if (isNew) await savePlan(tx, first, plan, forecastsOf({ ...made, plan }));
    const { siteId, queue: siteQueue, walltimeSeconds, explanation: reason, runtime } = plan.chosen;
    const walltimePredictor = task.walltimeRisk === null ? null : (runtime?.predictor ?? null);
    await releaseTasks(tx, { ids: own, siteId, siteQueue, reason, walltimeSeconds, walltimePredictor }, now);
  }
}
