import type { EpochSeconds } from '../../domain/clock.ts';
import { type LegMissPolicy, type LegStanding, membersNeeded, type RuleTree } from '../../domain/co-allocation.ts';
import { jointProbability } from '../joint-probability.ts';
import { decideCoAllocation } from './decide-co-allocation.ts';

/** A co-allocation some of whose legs may have missed. */
export interface MissInput {
  readonly rule: RuleTree;
  readonly policy: LegMissPolicy;
  readonly legs: readonly LegStanding[];
  readonly startAt: EpochSeconds;
  readonly now: EpochSeconds;
  /** That the caller was promised for the whole. */
  readonly probability: number;
  /** Of a leg that waits: to be running at `startAt`, as it is forecast now. */
  readonly probabilityOf: (legId: string) => number;
  /** Less time than this to `startAt` is too little for another leg. */
  readonly shortestLeadSeconds: number;
}

/**
 * What is to be done: `NOTHING`; find substitutes for `legIds` (`REPLACE`), and ask again later when there are none;
 * let `legIds` run though the rule is lost (`GO_ON`); cancel `legIds` for the rule is lost (`CANCEL_ALL`).
 */
export type MissDecision =
  | { readonly kind: 'NOTHING' }
  | { readonly kind: 'REPLACE' | 'GO_ON' | 'CANCEL_ALL'; readonly legIds: readonly string[] };

/**
 * Applies the caller's policy for missed legs. Nothing is done as long as the rule can still be met, except that
 * `REPLACE` acts once the probability to meet it has fallen below the promise: it asks for those missed legs whose
 * substitute would raise it.
 */
export function decideAfterMiss(input: MissInput): MissDecision {
  const { rule, policy, legs, startAt, now } = input;
  const decision = decideCoAllocation(rule, legs, startAt, now);
  if (decision.kind === 'SUCCEEDED') return NOTHING;
  if (policy === 'REPLACE' && startAt - now >= input.shortestLeadSeconds) {
    const legIds = worthReplacing(input);
    if (legIds.length > 0) return { kind: 'REPLACE', legIds };
  }
  if (decision.kind === 'PENDING') return NOTHING;
  if (policy === 'GO_ON') return { kind: 'GO_ON', legIds: legsThatGoOn(rule, input) };
  return { kind: 'CANCEL_ALL', legIds: decision.losers };
}

/**
 * Which legs go on. A group that can still be met needs only so many members: the most probable of them, for a leg that
 * waits at several sites runs at one. Of a group that cannot be met, every leg that holds or waits.
 */
function legsThatGoOn(rule: RuleTree, input: MissInput): string[] {
  const { legs, startAt, now, probabilityOf } = input;
  if ('legId' in rule) {
    const isAlive = legs.some(
      ({ legId, state }) => legId === rule.legId && (state === 'HOLDING' || state === 'WAITING'),
    );
    return isAlive ? [rule.legId] : [];
  }
  const present = new Map(legs.map((leg) => [leg.legId, presentProbability(leg, probabilityOf)]));
  const probabilityOfMember = (member: RuleTree) => jointProbability(member, (legId) => present.get(legId) ?? 0);
  const open = rule.members.filter((member) => decideCoAllocation(member, legs, startAt, now).kind !== 'FAILED');
  const needed = membersNeeded(rule);
  const kept =
    open.length < needed
      ? rule.members
      : open.sort((a, b) => probabilityOfMember(b) - probabilityOfMember(a)).slice(0, needed);
  return kept.flatMap((member) => legsThatGoOn(member, input));
}

/**
 * While the whole is less probable than promised: the missed legs whose substitute would raise it, alone or with
 * substitutes for the others.
 */
function worthReplacing({ rule, legs, probability, probabilityOf }: MissInput): string[] {
  const present = new Map(legs.map((leg) => [leg.legId, presentProbability(leg, probabilityOf)]));
  const missed = legs.filter(({ state }) => state === 'FAILED').map(({ legId }) => legId);
  const jointWith = (substitutes: readonly string[]) =>
    jointProbability(rule, (legId) => (substitutes.includes(legId) ? 1 : (present.get(legId) ?? 0)));
  const [without, withAll] = [jointWith([]), jointWith(missed)];
  if (without >= probability || withAll <= without) return [];
  const useful = missed.filter((legId) => {
    const others = missed.filter((other) => other !== legId);
    return jointWith([legId]) > without || jointWith(others) < withAll;
  });
  return useful.length > 0 ? useful : missed;
}

function presentProbability({ legId, state }: LegStanding, probabilityOf: (legId: string) => number): number {
  if (state === 'HOLDING') return 1;
  return state === 'WAITING' ? probabilityOf(legId) : 0;
}

const NOTHING: MissDecision = { kind: 'NOTHING' };
