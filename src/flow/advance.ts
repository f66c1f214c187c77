import { CO_ALLOCATION_MOVES } from '../domain/co-allocation.ts';
import type { ExecutionState } from '../domain/execution.ts';
import { invariant, StaleTurn } from '../domain/failures.ts';
import { isFinal } from '../domain/state-machine.ts';
import { type Due, whatIsDue } from '../plan/reservation/life.ts';
import { findCoAllocation } from '../store/co-allocations.ts';
import { countAtSite, type ExecutionRow } from '../store/executions.ts';
import type { WakeUp } from '../store/outbox.ts';
import { findReservedExecution } from '../store/reservations.ts';
import { findSite, type SiteRow } from '../store/sites.ts';
import { claimDueTurn, findWakeAt, type Turn, type TurnTable } from '../store/turns.ts';
import type { FlowContext } from './context.ts';
import { holdTurn } from './hold-turn.ts';
import type { ExecutionInHand } from './in-hand.ts';
import { cancelStep } from './steps/cancel.ts';
import { coAllocateStep } from './steps/co-allocate.ts';
import { decideReservationStep } from './steps/decide-reservation.ts';
import { holdStep } from './steps/hold.ts';
import { holdReservationStep } from './steps/hold-reservation.ts';
import { loseStep } from './steps/lose.ts';
import { observeStep } from './steps/observe.ts';
import { planStep } from './steps/plan.ts';
import { releaseStep } from './steps/release.ts';
import { removeSiteStep } from './steps/remove-site.ts';
import { settleStep } from './steps/settle.ts';
import { resolveDoubtStep } from './steps/submit.ts';
import { withdrawStep } from './steps/withdraw.ts';
import { endTurn, leaseOf, type Next } from './turn.ts';
import type { WakeUpResult } from './wake-queue.ts';

/** One step to be carried out, with its name for the metrics. */
interface Step {
  readonly name: string;
  run(): Promise<Next>;
}

const TABLES = { EXECUTION: 'Execution', SITE: 'Site', CO_ALLOCATION: 'CoAllocation' } as const satisfies Record<
  WakeUp['kind'],
  TurnTable
>;

/** States in which a site may have a job. */
const AT_SITE: ReadonlySet<ExecutionState> = new Set(['SUBMITTING', 'QUEUED', 'RUNNING']);

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

async function runStep(context: FlowContext, wakeUp: WakeUp, step: Step): Promise<Next | 'STALE'> {
  const begunAt = performance.now();
  const report = (result: 'DONE' | 'STALE' | 'FAILED') =>
    context.meters.onStep({ name: step.name, result, milliseconds: performance.now() - begunAt });
  try {
    const next = await step.run();
    report('DONE');
    return next;
  } catch (error) {
    report(error instanceof StaleTurn ? 'STALE' : 'FAILED');
    if (!(error instanceof StaleTurn)) throw error;
    context.logger.info({ ...wakeUp, step: step.name }, 'turn lost to another worker');
    return 'STALE';
  }
}

function nextStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  if (turn.table === 'Execution') return nextExecutionStep(context, turn);
  return turn.table === 'Site' ? nextSiteStep(context, turn) : nextCoAllocationStep(context, turn);
}

async function nextSiteStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const site = await findSite(context.database.db, turn.id);
  if (!site || site.removedAt !== null) return null;
  if (site.state === 'REMOVING' && (await countAtSite(context.database.db, site.id)).open === 0) {
    return { name: 'removeSite', run: () => removeSiteStep(context, turn, site) };
  }
  return { name: 'observe', run: () => observeStep(context, turn, site) };
}

async function nextCoAllocationStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const group = await findCoAllocation(context.database.db, turn.id);
  if (!group || isFinal(CO_ALLOCATION_MOVES, group.state)) return null;
  return { name: 'coAllocate', run: () => coAllocateStep(context, turn, group) };
}

async function nextExecutionStep(context: FlowContext, turn: Turn): Promise<Step | null> {
  const found = await findReservedExecution(context.database.db, turn.id);
  if (!found) return null;
  const inHand = { context, turn, ...found };
  const gone = await findGoneSite(context, found.execution);
  if (gone) return { name: 'lose', run: () => loseStep(inHand, gone) };
  const due = whatIsDue(found.execution, found.reservation, context.clock.now());
  return due && stepFor(due, inHand);
}

/** The site of a job that may be there, when that was removed all the same. */
async function findGoneSite(context: FlowContext, { state, siteId }: ExecutionRow): Promise<SiteRow | null> {
  if (!AT_SITE.has(state) || siteId === null) return null;
  const site = await findSite(context.database.db, siteId);
  return site && site.removedAt !== null ? site : null;
}

/** What is done about what is due. */
function stepFor(due: Due, inHand: ExecutionInHand): Step {
  if (isOfPromise(due)) {
    const { reservation } = inHand;
    invariant(reservation, `execution ${inHand.execution.id} keeps no promise, and ${due} is due`);
    const { name, step } = PROMISE_STEPS[due];
    return { name, run: () => step({ ...inHand, reservation }) };
  }
  const { name, step } = STEPS[due];
  return { name, run: () => step(inHand) };
}

type PromiseDue = keyof typeof PROMISE_STEPS;

function isOfPromise(due: Due): due is PromiseDue {
  return due in PROMISE_STEPS;
}

const PROMISE_STEPS = {
  KEEP_WAITING: { name: 'hold', step: holdReservationStep },
  STAY_OR_WITHDRAW: { name: 'withdraw', step: withdrawStep },
  HOLD_OR_RELEASE: { name: 'release', step: releaseStep },
  DECIDE: { name: 'reserve', step: decideReservationStep },
} as const;

const STEPS = {
  PLAN: { name: 'plan', step: planStep },
  WAIT: { name: 'hold', step: holdStep },
  RESOLVE: { name: 'submit', step: resolveDoubtStep },
  CANCEL: { name: 'cancel', step: cancelStep },
  SETTLE: { name: 'settle', step: settleStep },
} as const satisfies Record<Exclude<Due, PromiseDue>, unknown>;
