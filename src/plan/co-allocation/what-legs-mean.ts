import type { EpochSeconds } from '../../domain/clock.ts';
import type { CoAllocationState, LegMissPolicy, LegStanding, RuleTree } from '../../domain/co-allocation.ts';
import { CANCELLED_BY_CALLER } from '../../domain/execution.ts';
import { isOpen } from '../reservation/due.ts';
import type { ExecutionFacts, PromiseFacts } from '../reservation/promised-job.ts';
import { decideAfterMiss, type MissDecision } from './decide-after-miss.ts';
import { type CoAllocationDecision, decideCoAllocation } from './decide-co-allocation.ts';
import { type LegFacts, standingOf } from './standing.ts';

/** What is known of a co-allocation, as far as what follows for it depends on it. */
export interface GroupFacts {
  readonly rule: RuleTree;
  readonly startAt: EpochSeconds;
  readonly ifLegMissed: LegMissPolicy;
  /** Of the whole. */
  readonly promisedProbability: number;
}

/** A leg, as far as what follows for its group depends on it. */
export interface GroupLegFacts extends LegFacts {
  readonly execution: LegFacts['execution'] & Pick<ExecutionFacts, 'reason'>;
  readonly reservation: Pick<PromiseFacts, 'state'> & { readonly currentProbability: number };
}

/** What follows for a co-allocation from how its legs stand. */
export interface GroupMoves {
  /** Null while it stays undecided. */
  readonly decided: { readonly state: CoAllocationState; readonly reason: string } | null;
  /** Legs to cancel, and why. */
  readonly losers: readonly string[];
  readonly because: string;
  /** Missed legs in whose place others are to be looked for. */
  readonly replace: readonly string[];
  /** When it is looked at again; null for never. */
  readonly wakeAt: EpochSeconds | null;
  /** The same when a leg that is to be replaced could not be. */
  readonly tryAgainAt: EpochSeconds | null;
}

/** How often things are looked at, in seconds. */
interface Intervals {
  readonly observeIntervalSeconds: number;
  readonly recomputeIntervalSeconds: number;
}

/** Decides a co-allocation as soon as its rule allows, and applies its caller's policy for missed legs. */
export function whatLegsMean(
  { rule, startAt, ifLegMissed: policy, promisedProbability: probability }: GroupFacts,
  legs: readonly GroupLegFacts[],
  { observeIntervalSeconds, recomputeIntervalSeconds }: Intervals,
  now: EpochSeconds,
): GroupMoves {
  const standings = legs.map(standingOf);
  const seenAt = isSeen(legs, standings) ? now : Math.min(now, startAt - 1);
  const current = new Map(legs.map(({ legId, reservation }) => [legId, reservation.currentProbability]));
  const shortestLeadSeconds = SHORTEST_LEAD_INTERVALS * observeIntervalSeconds;
  const probabilityOf = (legId: string) => current.get(legId) ?? 0;
  const input = {
    rule,
    policy,
    legs: standings,
    startAt,
    now: seenAt,
    probability,
    probabilityOf,
    shortestLeadSeconds,
  };
  const missed = decideAfterMiss(input);
  if (missed.kind !== 'REPLACE') {
    const wakeAt = now < startAt ? startAt : now + observeIntervalSeconds;
    return conclude(decideCoAllocation(rule, standings, startAt, seenAt), missed, legs, wakeAt);
  }
  // Whoever loses although the missing legs may still be replaced was beaten by another one.
  const hoped = standings.map((leg) => (missed.legIds.includes(leg.legId) ? asWaiting(leg) : leg));
  const { losers } = decideCoAllocation(rule, hoped, startAt, seenAt);
  const timeIsUpAt = startAt - shortestLeadSeconds + 1;
  const tryAgainAt = Math.min(timeIsUpAt, now + recomputeIntervalSeconds);
  return { decided: null, losers, because: BEATEN, replace: missed.legIds, wakeAt: startAt, tryAgainAt };
}

/** What follows when its caller does not want it any more: every leg that is alive is cancelled. */
export function whatCancellingGroupMeans(
  legs: readonly { readonly legId: string; readonly execution: Pick<ExecutionFacts, 'state'> }[],
): GroupMoves {
  const alive = legs.filter(({ execution }) => execution.state !== 'ENDED').map(({ legId }) => legId);
  const decided = { state: 'CANCELLED', reason: CANCELLED_BY_CALLER } as const;
  return { ...CLOSED, decided, losers: alive, because: CANCELLED_BY_CALLER };
}

/** What the sites did up to the common start is only seen in observations made after it. */
function isSeen(legs: readonly GroupLegFacts[], standings: readonly LegStanding[]): boolean {
  return legs.every(({ reservation }, n) => !isOpen(reservation) || standings[n]?.state === 'GIVEN_UP');
}

function asWaiting(leg: LegStanding): LegStanding {
  return { ...leg, state: 'WAITING', heldSinceAt: null };
}

function conclude(
  decision: CoAllocationDecision,
  missed: MissDecision,
  legs: readonly GroupLegFacts[],
  wakeAt: EpochSeconds,
): GroupMoves {
  const { losers } = decision;
  const named = (legIds: readonly string[]) => describeLegs(legs.filter(({ legId }) => legIds.includes(legId)));
  if (decision.kind === 'PENDING') return { ...CLOSED, wakeAt, decided: null, losers, because: BEATEN };
  if (decision.kind === 'SUCCEEDED') {
    const reason = `${named(decision.winners)} met the rule`;
    return { ...CLOSED, decided: { state: 'SUCCEEDED', reason }, losers, because: BEATEN };
  }
  const calledOff = legs.filter(isCalledOff);
  if (calledOff.length === legs.length) return whatCancellingGroupMeans(legs);
  const failed = legs.filter(hasMissed);
  const causes = [
    ...(failed.length > 0 ? [`${describeLegs(failed)} missed`] : []),
    ...(calledOff.length > 0 ? [`${calledOff.map(({ legId }) => legId).join(', ')} ${CANCELLED_BY_CALLER}`] : []),
  ];
  const why = `the rule cannot be met: ${causes.join('; ') || 'no leg came in time'}`;
  if (missed.kind !== 'GO_ON') {
    return { ...CLOSED, decided: { state: 'FAILED', reason: why }, losers, because: 'the co-allocation failed' };
  }
  const reason = `${why}; goes on with ${named(missed.legIds) || 'none'}`;
  const notNeeded = losers.filter((legId) => !missed.legIds.includes(legId));
  return { ...CLOSED, decided: { state: 'FAILED', reason }, losers: notNeeded, because: 'another leg goes on' };
}

/** Whether it will not come, though its caller wants it and it is needed; it may still be on its way out. */
function hasMissed(leg: GroupLegFacts): boolean {
  const { state } = standingOf(leg);
  const isLeftOut = isCalledOff(leg) || leg.execution.cancelReason === BEATEN;
  return (state === 'FAILED' || state === 'GIVEN_UP') && !isLeftOut;
}

function isCalledOff({ execution, reservation }: GroupLegFacts): boolean {
  return execution.cancelReason === CANCELLED_BY_CALLER && reservation.state !== 'KEPT';
}

/** The legs' names with what became of them, in one line. */
function describeLegs(legs: readonly GroupLegFacts[]): string {
  return legs.map(({ legId, execution: { reason } }) => (reason ? `${legId} (${reason})` : legId)).join(', ');
}

const CLOSED = { replace: [], wakeAt: null, tryAgainAt: null } as const;
const BEATEN = 'another leg won';
/** A substitute needs time for its submission and for being seen to start. */
const SHORTEST_LEAD_INTERVALS = 2;
