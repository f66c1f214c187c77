import type { ExecutionState } from '../domain/execution.ts';
import { whatIsDue } from '../plan/reservation/life.ts';
import { countAtSite, type ExecutionRow } from '../store/executions.ts';
import { findReservedExecution } from '../store/reservations.ts';
import { findSite, type SiteRow } from '../store/sites.ts';
import type { Turn, TurnTable } from '../store/turns.ts';
import type { FlowContext } from './context.ts';
import { type Step, stepFor } from './due-steps.ts';
import { nextBulkCancelStep, nextCoAllocationStep, nextGroupStep, nextStagingStep } from './next-group-step.ts';
import { returnTaskStep } from './steps/groups/return-task.ts';
import { loseStep } from './steps/lose.ts';
import { observeStep } from './steps/observe.ts';
import { removeSiteStep } from './steps/remove-site.ts';

/** States in which a site may have a job. */
const AT_SITE: ReadonlySet<ExecutionState> = new Set(['SUBMITTING', 'QUEUED', 'RUNNING']);

/** What the row of a turn wants done now; null when that is nothing. */
export function nextStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  return NEXT_STEPS[turn.table](context, turn);
}

async function nextSiteStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const site = await findSite(context.database.db, turn.id);
  if (!site || site.removedAt !== null) return null;
  if (site.state === 'REMOVING' && (await countAtSite(context.database.db, site.id)).open === 0) {
    return { name: 'removeSite', run: () => removeSiteStep(context, turn, site) };
  }
  return { name: 'observe', run: () => observeStep(context, turn, site) };
}

async function nextExecutionStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const found = await findReservedExecution(context.database.db, turn.id);
  if (!found) return null;
  const inHand = { context, turn, ...found };
  const gone = await findGoneSite(context, found.execution);
  if (gone) return { name: 'lose', run: () => loseStep(inHand, gone) };
  const due = whatIsDue(found.execution, found.reservation, context.clock.now());
  const { groupId } = found.execution;
  if (due === 'PLAN' && groupId !== null) return { name: 'plan', run: () => returnTaskStep(inHand, groupId) };
  return due && stepFor(due, inHand);
}

const NEXT_STEPS = {
  Execution: nextExecutionStep,
  Site: nextSiteStep,
  CoAllocation: nextCoAllocationStep,
  JobGroup: nextGroupStep,
  BulkCancel: nextBulkCancelStep,
  Staging: nextStagingStep,
} satisfies Record<TurnTable, (context: FlowContext, turn: Turn) => Promise<Step | null>>;

/** The site of a job that may be there, when that was removed all the same. */
async function findGoneSite(context: FlowContext, { state, siteId }: ExecutionRow): Promise<SiteRow | null> {
  if (!AT_SITE.has(state) || siteId === null) return null;
  const site = await findSite(context.database.db, siteId);
  return site && site.removedAt !== null ? site : null;
}
