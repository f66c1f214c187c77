import { MOST_ON_THE_WAY, spreadTasks } from '../../../plan/job/spread-tasks.ts';
import type { ExecutionRow } from '../../../store/executions.ts';
import { describeGroup, type JobGroupRow } from '../../../store/job-groups.ts';
import type { Turn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import { commitStep, type Next } from '../../turn.ts';
import { planRequest } from '../planning/plan-request.ts';
import { endWithoutSite } from './end-without-site.ts';
import { learnRooms } from './learn-rooms.ts';
import { writeShares } from './write-shares.ts';

/** A group with a task that waits in it, and how many may go. */
export interface WaitingGroup {
  readonly group: JobGroupRow;
  readonly task: ExecutionRow;
  readonly atSites: number;
  readonly most: number;
}

/**
 * Asks the forecasts once for all tasks that are alike, spreads as many as have room over the sites, and lets them go.
 * A new plan is kept with the first that goes to each site, of which it was made; the others rest on it.
 */
export async function letTasksGo(context: FlowContext, turn: Turn, waiting: WaitingGroup): Promise<Next> {
  const { group, task, atSites, most } = waiting;
  const outlook = await learnRooms(context, group, task);
  const now = context.clock.now();
  const make = () => planRequest(context, task, now);
  const { made, givenTo, isNew } = await context.groupPlans.of(group.id, outlook, make);
  const { plan } = made;
  if (plan.chosen === null) return endWithoutSite(context, turn, waiting, plan);
  const shares = spreadTasks(plan, most, outlook.roomOf, givenTo);
  const { requestId } = group;
  const sites = shares.map(({ candidate, tasks }) => ({ site: candidate.siteName, tasks }));
  if (shares.length === 0) {
    const areMany = plan.candidates.some(({ siteId }) => outlook.roomOf(siteId).onTheWay >= MOST_ON_THE_WAY);
    const why = areMany ? 'the next ones go when these have them' : 'which have room for no more of them';
    const reason = `${atSites} tasks are at sites or on their way there, ${why}`;
    const wakeAt = now + (areMany ? handOverSeconds(context, task) : context.settings.observeIntervalSeconds);
    return commitStep(context, turn, { wakeAt }, (tx) => describeGroup(tx, turn, group, { reason, stuckSince: null }));
  }
  context.logger.info({ requestId, groupId: group.id, sites }, 'tasks let go');
  return commitStep(context, turn, 'AGAIN', async (tx) => {
    await writeShares(tx, task, { made, isNew, shares }, now);
    await describeGroup(tx, turn, group, { reason: null, stuckSince: null });
  });
}

/** So long tasks that are on their way have to be handed over, before more are let go: before they are overdue. */
function handOverSeconds({ settings }: FlowContext, task: ExecutionRow): number {
  return task.staging === null ? Math.max(SOON_SECONDS, settings.overdueSeconds / 4) : STAGED_SECONDS;
}

const SOON_SECONDS = 0.5;
/** The same where their files are moved first. */
const STAGED_SECONDS = 5;
