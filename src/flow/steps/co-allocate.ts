import type { CoAllocationState } from '../../domain/co-allocation.ts';
import { CANCELLED_BY_CALLER } from '../../domain/execution.ts';
import { RESERVATION_MOVES } from '../../domain/reservation.ts';
import { isFinal } from '../../domain/state-machine.ts';
import { decideAfterMiss, type MissDecision } from '../../plan/co-allocation/decide-after-miss.ts';
import { type CoAllocationDecision, decideCoAllocation } from '../../plan/co-allocation/decide-co-allocation.ts';
import { standingOf } from '../../plan/co-allocation/standing.ts';
import { type CoAllocationRow, moveCoAllocation } from '../../store/co-allocations.ts';
import type { Db } from '../../store/database.ts';
import { requestCancel } from '../../store/executions.ts';
import { wakeRow } from '../../store/outbox.ts';
import { type NewPromise, writePromise } from '../../store/promises.ts';
import { lockSitesThatTakeWork } from '../../store/sites.ts';
import { assertTurn, type Turn } from '../../store/turns.ts';
import type { FlowContext } from '../context.ts';
import { endTurn, type Next } from '../turn.ts';
import { describeLegs, type Leg, loadLegs, sitesInUse } from './legs.ts';
import { findSubstitute } from './substitute.ts';

/** What a look at a co-allocation comes to. */
interface Outcome {
  /** Null while it stays undecided. */
  readonly decided: { readonly state: CoAllocationState; readonly reason: string } | null;
  /** Legs to cancel, and why. */
  readonly losers: readonly Leg[];
  readonly because: string;
  readonly substitutes: readonly NewPromise[];
  readonly wakeAt: number | null;
}

/**
 * Looks how the legs of a co-allocation stand, decides it as soon as its rule allows and applies its caller's policy
 * for missed legs. The legs that are not needed are asked to cancel in the transaction that decides, so that none is
 * left holding processors.
 */
export async function coAllocateStep(context: FlowContext, turn: Turn, group: CoAllocationRow): Promise<Next> {
  const now = context.clock.now();
  const legs = await loadLegs(context.database.db, group.id);
  const { decided, losers, because, substitutes, wakeAt } =
    group.cancelRequestedAt === null ? await judge(context, group, legs, now) : cancelled(legs);
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

async function judge(
  context: FlowContext,
  group: CoAllocationRow,
  legs: readonly Leg[],
  now: number,
): Promise<Outcome> {
  const { rule, startAt, ifLegMissed: policy, promisedProbability: probability } = group;
  const { observeIntervalSeconds, recomputeIntervalSeconds } = context.settings;
  const standings = legs.map(standingOf);
  const shortestLeadSeconds = SHORTEST_LEAD_INTERVALS * observeIntervalSeconds;
  // What the sites did up to the common start is only seen in observations made after it.
  const isSeen = legs.every(({ reservation }, n) => {
    return isFinal(RESERVATION_MOVES, reservation.state) || standings[n]?.state === 'GIVEN_UP';
  });
  const seenAt = isSeen ? now : Math.min(now, startAt - 1);
  const decision = decideCoAllocation(rule, standings, startAt, seenAt);
  const current = new Map(legs.map(({ legId, reservation }) => [legId, reservation.currentProbability]));
  const missed = decideAfterMiss({
    rule,
    policy,
    legs: standings,
    startAt,
    now: seenAt,
    probability,
    probabilityOf: (legId) => current.get(legId) ?? 0,
    shortestLeadSeconds,
  });
  if (missed.kind !== 'REPLACE') {
    const wakeAt = now < startAt ? startAt : now + observeIntervalSeconds;
    return conclude(decision, missed, legs, wakeAt);
  }
  const substitutes = await findSubstitutes(context, legs, missed.legIds, now);
  const hoped = standings.map((leg) =>
    missed.legIds.includes(leg.legId) ? { ...leg, state: 'WAITING' as const, heldSinceAt: null } : leg,
  );
  // Whoever loses although the missing legs may still be replaced was beaten by another one.
  const { losers } = decideCoAllocation(rule, hoped, startAt, seenAt);
  const timeIsUpAt = startAt - shortestLeadSeconds + 1;
  const isFound = substitutes.length === missed.legIds.length;
  const wakeAt = isFound ? startAt : Math.min(timeIsUpAt, now + recomputeIntervalSeconds);
  return { decided: null, losers: pick(legs, losers), because: BEATEN, substitutes, wakeAt };
}

function conclude(decision: CoAllocationDecision, missed: MissDecision, legs: readonly Leg[], wakeAt: number): Outcome {
  const losers = pick(legs, decision.losers);
  const open = { substitutes: [], wakeAt };
  const closed = { substitutes: [], wakeAt: null };
  if (decision.kind === 'PENDING') return { ...open, decided: null, losers, because: BEATEN };
  if (decision.kind === 'SUCCEEDED') {
    const reason = `${describeLegs(pick(legs, decision.winners))} met the rule`;
    return { ...closed, decided: { state: 'SUCCEEDED', reason }, losers, because: BEATEN };
  }
  const failed = legs.filter(({ reservation }) => reservation.state === 'MISSED');
  const why = `the rule cannot be met: ${describeLegs(failed) || 'no leg'} missed`;
  if (missed.kind !== 'GO_ON') {
    return { ...closed, decided: { state: 'FAILED', reason: why }, losers, because: 'the co-allocation failed' };
  }
  const left = describeLegs(pick(legs, missed.legIds)) || 'none';
  const notNeeded = losers.filter(({ legId }) => !missed.legIds.includes(legId));
  const decided = { state: 'FAILED', reason: `${why}; goes on with ${left}` } as const;
  return { ...closed, decided, losers: notNeeded, because: 'another leg goes on' };
}

function cancelled(legs: readonly Leg[]): Outcome {
  const decided = { state: 'CANCELLED' as const, reason: CANCELLED_BY_CALLER };
  const alive = legs.filter(({ execution }) => execution.state !== 'ENDED');
  return { decided, losers: alive, because: CANCELLED_BY_CALLER, substitutes: [], wakeAt: null };
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

const BEATEN = 'another leg won';
/** A substitute needs time for its submission and for being seen to start. */
const SHORTEST_LEAD_INTERVALS = 2;
