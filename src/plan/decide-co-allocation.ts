import type { EpochSeconds } from '../domain/clock.ts';
import { type CoAllocationRule, legsNeeded } from '../domain/co-allocation.ts';

/** How one leg of a co-allocation stands. */
export interface LegStanding {
  readonly legId: string;
  /** `HOLDING` processors at its site, `WAITING` and still able to start in time, or `FAILED` for good. */
  readonly state: 'HOLDING' | 'WAITING' | 'FAILED';
  /** When it began to hold processors; null unless it holds. */
  readonly heldSinceAt: EpochSeconds | null;
}

/** A co-allocation's decision. Losers are the legs to cancel: those that hold or may still come to hold processors for nothing. */
export type CoAllocationDecision =
  | { readonly kind: 'PENDING' }
  | { readonly kind: 'SUCCEEDED'; readonly winners: readonly string[]; readonly losers: readonly string[] }
  | { readonly kind: 'FAILED'; readonly losers: readonly string[] };

/**
 * Decides a co-allocation on how its legs stand. A rule that spares legs (ANY, AT_LEAST fewer than all) succeeds the moment enough
 * legs hold; those that held first win, ties by leg id. A rule that needs every leg succeeds at `startAt`, when all hold.
 * It fails once too few legs hold or may still; from `startAt` on waiting is too late.
 * @param atLeast needed with rule AT_LEAST
 */
export function decideCoAllocation(
  rule: CoAllocationRule,
  atLeast: number | null,
  legs: readonly LegStanding[],
  startAt: EpochSeconds,
  now: EpochSeconds,
): CoAllocationDecision {
  const needed = legsNeeded(rule, legs.length, atLeast);
  const holding = legs.filter((leg) => leg.state === 'HOLDING').sort(byFirstHeld);
  const waiting = legs.filter((leg) => leg.state === 'WAITING');
  const isTime = now >= startAt;
  if (holding.length >= needed && (isTime || needed < legs.length)) {
    const losers = [...holding.slice(needed), ...waiting];
    return { kind: 'SUCCEEDED', winners: idsOf(holding.slice(0, needed)), losers: idsOf(losers) };
  }
  const reachable = holding.length + (isTime ? 0 : waiting.length);
  if (reachable < needed) return { kind: 'FAILED', losers: idsOf([...holding, ...waiting]) };
  return { kind: 'PENDING' };
}

function idsOf(legs: readonly LegStanding[]): string[] {
  return legs.map((leg) => leg.legId);
}

function byFirstHeld(a: LegStanding, b: LegStanding): number {
  return (a.heldSinceAt ?? 0) - (b.heldSinceAt ?? 0) || (a.legId < b.legId ? -1 : 1);
}
