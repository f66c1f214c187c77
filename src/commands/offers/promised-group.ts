import type { EpochSeconds } from '../../domain/clock.ts';
import { invariant } from '../../domain/failures.ts';
import { planAtSite } from '../../forecast/site-plan.ts';
import { createCoAllocation } from '../../store/co-allocations.ts';
import type { Db } from '../../store/database.ts';
import { enqueueWakeUps } from '../../store/outbox.ts';
import type { Principal } from '../../store/principals.ts';
import { type NewPromise, writePromise } from '../../store/promises.ts';
import { keepScripts } from '../../store/scripts.ts';
import type { CommandContext } from '../carry-out/context.ts';
import type { CoAllocateInput } from '../input/co-allocation-input.ts';
import { newExecution } from '../input/work-input.ts';
import type { GroupOffer } from './co-allocation-offers.ts';
import type { PromisedLeg } from './promised-legs.ts';

/** A joint promise and who asked for it. */
export interface PromisedGroup {
  readonly context: CommandContext;
  readonly principal: Principal;
  readonly input: CoAllocateInput;
  readonly offer: Extract<GroupOffer, { kind: 'PROMISE' }>;
  readonly now: EpochSeconds;
}

/** Writes a group that is promised, with its legs and their wake-ups, in the caller's transaction. */
export async function writeGroup(tx: Db, promised: PromisedGroup): Promise<{ coAllocationId: string }> {
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
  const parts = new Set(offer.legs.map(({ partId }) => partId));
  await keepScripts(
    tx,
    input.legs.filter(({ legId }) => parts.has(legId)).map(({ script }) => script),
  );
  for (const leg of offer.legs) await writePromise(tx, promiseOf(promised, coAllocationId, leg));
  return { coAllocationId };
}

/** One leg as it is written down. */
function promiseOf(promised: PromisedGroup, coAllocationId: string, leg: PromisedLeg): NewPromise {
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
      maxExpectedPaddingProcessorSeconds: work.maxExpectedPaddingProcessorSeconds ?? null,
      holdPriceSeconds: null,
      trajectory,
    },
  };
}
