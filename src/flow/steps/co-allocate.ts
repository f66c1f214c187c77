import { whatCancellingGroupMeans, whatLegsMean } from '../../plan/co-allocation/what-legs-mean.ts';
import { type CoAllocationRow, moveCoAllocation } from '../../store/co-allocations.ts';
import type { Db } from '../../store/database.ts';
import { requestCancel } from '../../store/executions.ts';
import { lockSitesThatTakeWork } from '../../store/open-sites.ts';
import { wakeRow } from '../../store/outbox.ts';
import { type NewPromise, writePromise } from '../../store/promises.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { type Leg, loadLegs, sitesInUse } from '../legs.ts';
import { endTurn, type Next } from '../turn.ts';
import { findSubstitute } from './elsewhere/substitute.ts';

/**
 * Looks how the legs of a co-allocation stand, decides it as soon as its rule allows and applies its caller's policy
 * for missed legs. The legs that are not needed are asked to cancel in the transaction that decides, so that none is
 * left holding processors.
 */
export async function coAllocateStep(context: FlowContext, turn: Turn, group: CoAllocationRow): Promise<Next> {
  const now = context.clock.now();
  const legs = await loadLegs(context.database.db, group.id);
  const moves =
    group.cancelRequestedAt === null
      ? whatLegsMean(group, legs, context.settings, now)
      : whatCancellingGroupMeans(legs);
  const { decided, because, replace } = moves;
  const losers = pick(legs, moves.losers);
  const substitutes = await findSubstitutes(context, legs, replace, now);
  const wakeAt = substitutes.length === replace.length ? moves.wakeAt : moves.tryAgainAt;
  return context.database.transaction(async (tx) => {
    if (decided) await moveCoAllocation(tx, turn, group, decided, now);
    else await assertTurn(tx, turn);
    const areFree = await areStillFree(tx, group.id, substitutes);
    for (const executionId of losers.map(({ execution }) => execution.id).sort()) {
      await requestCancel(tx, executionId, because, now);
      await wakeRow(tx, 'Execution', executionId, now, group.requestId);
    }
    if (areFree) for (const substitute of substitutes) await writePromise(tx, substitute);
    const next = { wakeAt: areFree ? wakeAt : now };
    await endTurn(tx, turn, next.wakeAt);
    return next;
  });
}

/**
 * False when one of their sites was drained or suspended, or another leg has moved there, since it was asked: the next
 * look asks again.
 */
async function areStillFree(tx: Db, groupId: string, substitutes: readonly NewPromise[]): Promise<boolean> {
  if (substitutes.length === 0) return true;
  const siteIds = substitutes.map(({ assignment }) => assignment.siteId);
  const inUse = new Set(sitesInUse(await loadLegs(tx, groupId)));
  if (siteIds.some((siteId) => inUse.has(siteId))) return false;
  const ready = await lockSitesThatTakeWork(tx, siteIds);
  return siteIds.every((siteId) => ready.has(siteId));
}

async function findSubstitutes(
  context: FlowContext,
  legs: readonly Leg[],
  legIds: readonly string[],
  now: number,
): Promise<NewPromise[]> {
  const found: NewPromise[] = [];
  for (const leg of pick(legs, legIds)) {
    const taken = new Set(found.map(({ assignment }) => assignment.siteId));
    const substitute = await findSubstitute(context, leg, legs, taken, now);
    if (substitute) found.push(substitute);
  }
  return found;
}

function pick(legs: readonly Leg[], legIds: readonly string[]): Leg[] {
  const wanted = new Set(legIds);
  return legs.filter(({ legId }) => wanted.has(legId));
}
