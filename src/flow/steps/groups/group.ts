import type { ExecutionState } from '../../../domain/execution.ts';
import type { Db } from '../../../store/database.ts';
import { countMovingOutputs } from '../../../store/dependencies.ts';
import { closeGroup, describeGroup, type JobGroupRow, tallyTasks } from '../../../store/job-groups.ts';
import { countUnsettled, findWaitingTask } from '../../../store/tasks.ts';
import type { Turn } from '../../../store/turns.ts';
import type { FlowContext } from '../../context.ts';
import { commitStep, type Next } from '../../turn.ts';
import { letTasksGo } from './let-tasks-go.ts';

/**
 * Looks how the tasks of an array stand: it lets some go to sites while there is room, and ends when the last has. Ends
 * of tasks wake it.
 */
export async function groupStep(context: FlowContext, turn: Turn, group: JobGroupRow): Promise<Next> {
  const { db } = context.database;
  const tallies = await tallyTasks(db, [group.id]);
  const countOf = (states: readonly ExecutionState[]) =>
    tallies.reduce((sum, { state, count }) => sum + (states.includes(state) ? count : 0), 0);
  const isOver = countOf(['ENDED']) === group.size && (await areTasksOver(db, group.id));
  const now = context.clock.now();
  if (isOver) return commitStep(context, turn, { wakeAt: null }, (tx) => closeGroup(tx, turn, group, now));
  const task = await findWaitingTask(db, group.id);
  const describe = (reason: string | null, wakeAt: number | null = null) =>
    commitStep(context, turn, { wakeAt }, (tx) => describeGroup(tx, turn, group, { reason, stuckSince: null }));
  if (!task) return describe(null);
  const atSites = countOf(AT_SITES);
  const free = (group.mostAtOnce ?? Number.POSITIVE_INFINITY) - atSites;
  if (free <= 0) return describe(`${atSites} tasks are at sites, as many as its limit allows`);
  return letTasksGo(context, turn, { group, task, atSites, most: Math.min(free, MOST_AT_ONCE) });
}

/** Whether tasks that have all ended are booked, and their outputs moved. */
async function areTasksOver(db: Db, groupId: string): Promise<boolean> {
  return (await countUnsettled(db, groupId)) === 0 && (await countMovingOutputs(db, groupId)) === 0;
}

const AT_SITES = ['HELD', 'SUBMITTING', 'QUEUED', 'RUNNING'] as const;
/** Tasks that are let go in one transaction. */
const MOST_AT_ONCE = 250;
