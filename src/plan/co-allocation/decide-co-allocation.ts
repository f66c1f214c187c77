import type { EpochSeconds } from '../../domain/clock.ts';
import { type LegStanding, membersNeeded, type RuleGroup, type RuleTree } from '../../domain/co-allocation.ts';

/**
 * A co-allocation's decision. Losers are the legs to cancel now, whether or not the whole is decided: those that hold
 * or may still come to hold processors for nothing. Every leg that has not failed is a loser or is kept.
 */
export type CoAllocationDecision =
  | { readonly kind: 'PENDING'; readonly losers: readonly string[] }
  | { readonly kind: 'SUCCEEDED'; readonly winners: readonly string[]; readonly losers: readonly string[] }
  | { readonly kind: 'FAILED'; readonly losers: readonly string[] };

/**
 * Decides a co-allocation on how its legs stand. A group is met the moment enough of its members are, by those that
 * were met first (ties by leg id); its other legs lose at once, and so do the legs of a group that can no longer be
 * met, wherever it stands in the rule. The whole succeeds when it is met, but at `startAt` when its outermost rule
 * needs every member, for each can fail until then. From `startAt` on waiting is too late. A leg that was given up
 * never wins, though it may come to hold; a leg of the rule without a standing was never asked for.
 */
export function decideCoAllocation(
  rule: RuleTree,
  legs: readonly LegStanding[],
  startAt: EpochSeconds,
  now: EpochSeconds,
): CoAllocationDecision {
  const isTime = now >= startAt;
  const standings = new Map(legs.map((leg) => [leg.legId, leg]));
  const verdict = judge(rule, standings, isTime);
  const kept = new Set(verdict.kept);
  const losers = legs.filter(({ legId, state }) => state !== 'FAILED' && !kept.has(legId)).map(({ legId }) => legId);
  if (verdict.state === 'FAILED') return { kind: 'FAILED', losers };
  const waitsForStart = !isTime && needsEveryMember(rule);
  if (verdict.state === 'OPEN' || waitsForStart) return { kind: 'PENDING', losers };
  return { kind: 'SUCCEEDED', winners: verdict.kept, losers };
}

/** How a part of the rule stands, and the legs it goes on with. */
interface Verdict {
  readonly state: 'MET' | 'OPEN' | 'FAILED';
  /** Since when it is met; infinite unless it is. */
  readonly metAt: EpochSeconds;
  readonly kept: readonly string[];
}

function judge(rule: RuleTree, standings: ReadonlyMap<string, LegStanding>, isTime: boolean): Verdict {
  return 'legId' in rule ? judgeLeg(standings.get(rule.legId), isTime) : judgeGroup(rule, standings, isTime);
}

function judgeLeg(leg: LegStanding | undefined, isTime: boolean): Verdict {
  if (leg?.state === 'HOLDING') return { state: 'MET', metAt: leg.heldSinceAt ?? 0, kept: [leg.legId] };
  if (leg?.state === 'WAITING' && !isTime) return { state: 'OPEN', metAt: Number.POSITIVE_INFINITY, kept: [leg.legId] };
  return FAILED;
}

function judgeGroup(group: RuleGroup, standings: ReadonlyMap<string, LegStanding>, isTime: boolean): Verdict {
  const needed = membersNeeded(group);
  const verdicts = group.members.map((member) => judge(member, standings, isTime));
  const met = verdicts.filter(({ state }) => state === 'MET').sort(byFirstMet);
  const open = verdicts.filter(({ state }) => state === 'OPEN');
  if (met.length >= needed) {
    const winners = met.slice(0, needed);
    return { state: 'MET', metAt: winners.at(-1)?.metAt ?? 0, kept: winners.flatMap(({ kept }) => kept) };
  }
  if (met.length + open.length < needed) return FAILED;
  return { state: 'OPEN', metAt: Number.POSITIVE_INFINITY, kept: [...met, ...open].flatMap(({ kept }) => kept) };
}

function needsEveryMember(rule: RuleTree): boolean {
  return 'legId' in rule || membersNeeded(rule) === rule.members.length;
}

function byFirstMet(a: Verdict, b: Verdict): number {
  return a.metAt - b.metAt || ((a.kept[0] ?? '') < (b.kept[0] ?? '') ? -1 : 1);
}

const FAILED: Verdict = { state: 'FAILED', metAt: Number.POSITIVE_INFINITY, kept: [] };
