import type { EpochSeconds } from '../domain/clock.ts';
import { invariant } from '../domain/failures.ts';
import { createCoAllocation } from '../store/co-allocations.ts';
import type { Db } from '../store/database.ts';
import { createExecution } from '../store/executions.ts';
import { enqueueWakeUps, type WakeUp } from '../store/outbox.ts';
import { savePlan } from '../store/plans.ts';
import type { Principal } from '../store/principals.ts';
import { createReservation } from '../store/reservations.ts';
import { carryOut, type Idempotent } from './carry-out.ts';
import {
  type CoAllocationTerms,
  gatherJointOffer,
  type JointOffer,
  legPlan,
  type PromisedLeg,
} from './co-allocation-offers.ts';
import type { CommandContext } from './context.ts';
import { FaultList } from './faults.ts';
import { PromiseRefused } from './promise-refused.ts';
import { checkMoment, checkProbability, checkWork, newExecution, type WorkInput } from './work-input.ts';

/** Several jobs that must be running at one moment: all of them, any one, or at least some. */
export interface CoAllocateInput extends CoAllocationTerms, Idempotent {
  readonly legs: readonly WorkInput[];
}

/**
 * Makes a joint promise over legs at different sites, in the way that is expected to cost least. Returning means that the group
 * and every leg worth its charge stand, in one transaction; no leg exists without the others.
 * @throws PromiseRefused when the rule cannot be met with the probability asked for
 * @throws CallerError when the input is invalid or a leg has no site
 */
export function coAllocate(
  context: CommandContext,
  principal: Principal,
  input: CoAllocateInput,
): Promise<{ coAllocationId: string }> {
  return carryOut(context, principal, 'coAllocate', input, async (commit) => {
    const now = context.clock.now();
    checkInput(context, input, now);
    const offer = await gatherJointOffer(context, input, now);
    if (offer.kind === 'REFUSAL') throw new PromiseRefused('input.probability', offer.reason, null);
    return commit((tx) => writeGroup(tx, { context, principal, input, offer, now }));
  });
}

function checkInput({ limits }: CommandContext, input: CoAllocateInput, now: EpochSeconds): void {
  const faults = new FaultList();
  const { legs, rule, atLeast } = input;
  checkMoment(faults, input.startAt, 'input.startAt', now, limits);
  checkProbability(faults, input.probability, 'input.probability');
  const count = legs.length;
  faults.require(
    count >= 2 && count <= limits.maxLegs,
    'input.legs',
    `a co-allocation has 2 to ${limits.maxLegs} legs, got ${count}`,
  );
  const field = 'input.atLeast';
  if (rule !== 'AT_LEAST') {
    faults.require(atLeast === null, field, `atLeast goes with rule AT_LEAST only, the rule is ${rule}`);
  } else {
    const valid = atLeast !== null && Number.isInteger(atLeast) && atLeast >= 1 && atLeast <= count;
    faults.require(valid, field, `rule AT_LEAST needs atLeast from 1 to the ${count} legs, got ${atLeast}`);
  }
  if (count <= limits.maxLegs) {
    for (const [index, leg] of legs.entries()) checkWork(faults, leg, `input.legs[${index}]`, limits);
  }
  faults.assertNone();
}

interface Promised {
  readonly context: CommandContext;
  readonly principal: Principal;
  readonly input: CoAllocateInput;
  readonly offer: Extract<JointOffer, { kind: 'PROMISE' }>;
  readonly now: EpochSeconds;
}

async function writeGroup(tx: Db, promised: Promised): Promise<{ coAllocationId: string }> {
  const { context, principal, input, offer, now } = promised;
  const { requestId } = context;
  const { rule, atLeast, startAt, probability } = input;
  const { id: coAllocationId } = await createCoAllocation(tx, {
    tenantId: principal.tenantId,
    requestId,
    rule,
    atLeast,
    startAt,
    probability,
    promisedProbability: offer.jointProbability,
    now,
  });
  const wakeUps: WakeUp[] = [{ kind: 'CO_ALLOCATION', targetId: coAllocationId, wakeAt: startAt, requestId }];
  for (const leg of offer.legs) {
    const targetId = await writeLeg(tx, promised, coAllocationId, leg);
    wakeUps.push({ kind: 'EXECUTION', targetId, wakeAt: now, requestId });
  }
  await enqueueWakeUps(tx, wakeUps);
  return { coAllocationId };
}

/** Writes one leg: its execution, its plan and its reservation. Returns the execution's id. */
async function writeLeg(tx: Db, promised: Promised, coAllocationId: string, leg: PromisedLeg): Promise<string> {
  const { context, principal, input, now } = promised;
  const work = input.legs[leg.index];
  invariant(work, `the input has no leg ${leg.index}`);
  const { point, charge } = leg.planned;
  const request = newExecution(context, principal, work, null, now);
  const assignment = { siteId: leg.site.id, siteQueue: leg.queue?.name ?? null, submitAt: point.submitAt };
  const { id: executionId } = await createExecution(tx, request, assignment);
  const { plan, forecasts } = legPlan(leg, work, now);
  await savePlan(tx, executionId, plan, forecasts);
  await createReservation(tx, {
    tenantId: principal.tenantId,
    executionId,
    coAllocationId,
    mode: 'HOLD',
    startAt: input.startAt,
    windowOpensAt: null,
    ifMissed: 'CANCEL',
    probability: point.probability,
    promisedProbability: point.probability,
    worstPaddingProcessorSeconds: charge.worstPaddingProcessorSeconds,
    expectedPaddingProcessorSeconds: charge.expectedPaddingProcessorSeconds,
    maxPaddingProcessorSeconds: null,
    trajectory: leg.answer.trajectory,
    now,
  });
  return executionId;
}
