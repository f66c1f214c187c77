import type { EpochSeconds } from '../domain/clock.ts';
import type { LegMissPolicy } from '../domain/co-allocation.ts';
import { invariant } from '../domain/failures.ts';
import { findRuleFaults } from '../domain/rule-faults.ts';
import { planAtSite } from '../forecast/site-plan.ts';
import { createCoAllocation } from '../store/co-allocations.ts';
import type { Db } from '../store/database.ts';
import { enqueueWakeUps } from '../store/outbox.ts';
import type { Principal } from '../store/principals.ts';
import { type NewPromise, writePromise } from '../store/promises.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { FaultList } from './input/faults.ts';
import {
  checkMoment,
  checkPadding,
  checkProbability,
  checkWhole,
  checkWork,
  newExecution,
  quote,
  type WorkInput,
} from './input/work-input.ts';
import {
  COPY_MARK,
  type CoAllocationTerms,
  gatherJointOffer,
  type JointOffer,
  type LegTerms,
  type PromisedLeg,
} from './offers/co-allocation-offers.ts';
import { assertStillTakeWork } from './offers/eligible-sites.ts';
import { jointRefusal } from './offers/joint-promise-refused.ts';

/**
 * Several jobs that must be running at one moment: all of them, any one, at least some, or a rule made of such rules.
 */
export interface CoAllocateInput extends CoAllocationTerms, Idempotent {
  readonly legs: readonly Leg[];
  readonly ifLegMissed: LegMissPolicy;
  /** Where the rule sits in the caller's input. */
  readonly rulePath: string;
}

/** One of the jobs, with its name in the rule. */
export interface Leg extends WorkInput, LegTerms {}

/**
 * Makes a joint promise over legs at different sites, in the way that is expected to cost least. Returning means that
 * the group and every leg worth its charge stand, in one transaction; no leg exists without the others.
 * @throws JointPromiseRefused with what comes closest when the rule cannot be met with the probability asked for
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
    const offer = await gatherJointOffer(context, principal, input, now);
    if (offer.kind === 'REFUSAL') throw jointRefusal(offer, input.legs);
    return commit(async (tx) => {
      await assertStillTakeWork(
        tx,
        offer.legs.map(({ site }) => site),
      );
      return writeGroup(tx, { context, principal, input, offer, now });
    });
  });
}

function checkInput({ limits }: CommandContext, input: CoAllocateInput, now: EpochSeconds): void {
  const faults = new FaultList();
  const { legs } = input;
  checkMoment(faults, input.startAt, 'input.startAt', now, limits);
  checkProbability(faults, input.probability, 'input.probability');
  const { minimumPessimisticProbability: minimum = null, mostSitesPerLeg = 1 } = input;
  if (minimum !== null) checkProbability(faults, minimum, 'input.minimumPessimisticProbability');
  checkWhole(faults, mostSitesPerLeg, 'input.mostSitesPerLeg', limits.maxSitesPerLeg);
  const count = legs.length;
  faults.require(
    count >= 2 && count <= limits.maxLegs,
    'input.legs',
    `a co-allocation has 2 to ${limits.maxLegs} legs, got ${count}`,
  );
  if (count <= limits.maxLegs) {
    for (const [index, leg] of legs.entries()) {
      checkWork(faults, leg, `input.legs[${index}]`, limits);
      checkPadding(faults, leg.maxPaddingProcessorSeconds ?? null, `input.legs[${index}].maxPaddingProcessorSeconds`);
    }
    checkRule(faults, input);
  }
  faults.assertNone();
}

function checkRule(faults: FaultList, { legs, rule, rulePath, mostSitesPerLeg = 1 }: CoAllocateInput): void {
  const names = legs.map(({ legId }) => legId);
  for (const [index, legId] of names.entries()) {
    const field = `input.legs[${index}].id`;
    const fits = legId.length >= 1 && legId.length <= LONGEST_LEG_NAME;
    faults.require(fits, field, `a leg's name has 1 to ${LONGEST_LEG_NAME} characters, got ${quote(legId)}`);
    faults.require(names.indexOf(legId) === index, field, `another leg is called ${quote(legId)} already`);
    const isPlain = mostSitesPerLeg === 1 || !legId.includes(COPY_MARK);
    faults.require(isPlain, field, `the name of a leg at several sites has no ${COPY_MARK}, got ${quote(legId)}`);
  }
  if (names.length === 0 || new Set(names).size < names.length) return;
  for (const { code, field, message } of findRuleFaults(rule, names, rulePath)) faults.add(code, field, message);
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
  const { ifLegMissed, startAt, probability } = input;
  const { rule, jointProbability, pessimistic } = offer;
  const { id: coAllocationId } = await createCoAllocation(tx, {
    tenantId: principal.tenantId,
    requestId,
    rule,
    ifLegMissed,
    startAt,
    probability,
    promisedProbability: jointProbability,
    pessimisticProbability: pessimistic.probability,
    pairedObservations: pessimistic.pairedObservations,
    now,
  });
  await enqueueWakeUps(tx, [{ kind: 'CO_ALLOCATION', targetId: coAllocationId, wakeAt: startAt, requestId }]);
  for (const leg of offer.legs) await writePromise(tx, promiseOf(promised, coAllocationId, leg));
  return { coAllocationId };
}

/** One leg as it is written down. */
function promiseOf(promised: Promised, coAllocationId: string, leg: PromisedLeg): NewPromise {
  const { context, principal, input, now } = promised;
  const { site, queue, legId, partId, point, charge, trajectory, forecast, others } = leg;
  const work = input.legs.find((candidate) => candidate.legId === partId);
  invariant(work, `the input has no leg ${partId}`);
  const atSite = { siteId: site.id, siteName: site.name, queue: queue?.name ?? null, forecast, others };
  const promise = { ...atSite, point, charge, probability: point.probability };
  return {
    request: newExecution(context, principal, work, null, now),
    assignment: { siteId: site.id, siteQueue: atSite.queue, submitAt: point.submitAt },
    ...planAtSite(promise, work, 'as part of the group of least charge', now),
    terms: {
      coAllocationId,
      legId,
      mode: 'HOLD',
      startAt: input.startAt,
      windowOpensAt: null,
      ifMissed: 'CANCEL',
      probability: point.probability,
      promisedProbability: point.probability,
      worstPaddingProcessorSeconds: charge.worstPaddingProcessorSeconds,
      expectedPaddingProcessorSeconds: charge.expectedPaddingProcessorSeconds,
      maxPaddingProcessorSeconds: work.maxPaddingProcessorSeconds ?? null,
      holdPriceSeconds: null,
      trajectory,
    },
  };
}

const LONGEST_LEG_NAME = 64;
