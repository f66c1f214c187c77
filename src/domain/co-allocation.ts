import type { EpochSeconds } from './clock.ts';
import type { LegalMoves } from './state-machine.ts';

/** How many legs must be running at the common start time: every one, one, or at least `k`. */
export const CO_ALLOCATION_RULES = ['ALL', 'ANY', 'AT_LEAST'] as const;
export type CoAllocationRule = (typeof CO_ALLOCATION_RULES)[number];

/**
 * A rule over legs and over other rules: "all of: any of a and b, any of c and d". Each leg is named once. It is plain
 * data, to be stored and sent as it is.
 */
export type RuleTree = RuleLeg | RuleGroup;

/** The leg is running at the common start time. */
export interface RuleLeg {
  readonly legId: string;
}

/** Enough of the members are met. */
export interface RuleGroup {
  readonly rule: CoAllocationRule;
  /** With rule AT_LEAST, from 1 to the number of members; null otherwise. */
  readonly atLeast: number | null;
  readonly members: readonly RuleTree[];
}

/** The rule without nesting: one group over the legs. */
export function flatRule(rule: CoAllocationRule, atLeast: number | null, legIds: readonly string[]): RuleGroup {
  return { rule, atLeast, members: legIds.map((legId) => ({ legId })) };
}

/** The legs of a rule, in its order. */
export function legsOfRule(rule: RuleTree): string[] {
  return 'legId' in rule ? [rule.legId] : rule.members.flatMap(legsOfRule);
}

/** The rule with something else in place of each leg. */
export function replaceLegs(rule: RuleGroup, treeOf: (legId: string) => RuleTree): RuleGroup;
export function replaceLegs(rule: RuleTree, treeOf: (legId: string) => RuleTree): RuleTree;
export function replaceLegs(rule: RuleTree, treeOf: (legId: string) => RuleTree): RuleTree {
  if ('legId' in rule) return treeOf(rule.legId);
  return { ...rule, members: rule.members.map((member) => replaceLegs(member, treeOf)) };
}

/** The rule with other names for its legs, as when they are stored, or when one leg takes another's place. */
export function renameLegs(rule: RuleTree, nameOf: (legId: string) => string): RuleTree {
  return replaceLegs(rule, (legId) => ({ legId: nameOf(legId) }));
}

/** Any one of these legs; a single one by itself. With none it can never be met. */
export function anyOf(legIds: readonly string[]): RuleTree {
  const [only] = legIds.length === 1 ? legIds : [];
  return only === undefined ? flatRule('ANY', null, legIds) : { legId: only };
}

/**
 * Whether the rule cannot be met without the leg. Others are given up once they are not needed any more, the late ones
 * first: what sites would have done with those that are left tells nothing of all.
 */
export function isLegNeeded(rule: RuleTree, legId: string): boolean {
  if ('legId' in rule) return rule.legId === legId;
  return membersNeeded(rule) === rule.members.length && rule.members.some((member) => isLegNeeded(member, legId));
}

/** How many members a group needs. */
export function membersNeeded({ rule, atLeast, members }: RuleGroup): number {
  return legsNeeded(rule, members.length, atLeast);
}

/** How many of `legs` the rule needs. */
export function legsNeeded(rule: CoAllocationRule, legs: number, atLeast: number | null): number {
  if (rule === 'ALL') return legs;
  return rule === 'ANY' ? 1 : (atLeast ?? legs);
}

/** How one leg of a co-allocation stands. */
export interface LegStanding {
  readonly legId: string;
  /**
   * `HOLDING` processors at its site, `WAITING` and still able to start in time, `FAILED` for good and holding nothing,
   * or `GIVEN_UP`: it was asked to cancel and may hold processors until that has come about.
   */
  readonly state: 'HOLDING' | 'WAITING' | 'FAILED' | 'GIVEN_UP';
  /** When it began to hold processors; null unless it holds. */
  readonly heldSinceAt: EpochSeconds | null;
}

/**
 * What is done when legs have missed and the rule can no longer be met: `CANCEL_ALL` gives the other legs up, `GO_ON`
 * lets them run with what there is, no more of any part than that part needs. `REPLACE` looks for another leg as soon
 * as one has missed, while there is time, and then cancels all.
 */
export const LEG_MISS_POLICIES = ['CANCEL_ALL', 'GO_ON', 'REPLACE'] as const;
export type LegMissPolicy = (typeof LEG_MISS_POLICIES)[number];

/**
 * The life of a group of reservations: `PENDING` until enough legs hold or too few can, then `SUCCEEDED`, `FAILED`, or
 * `CANCELLED` by its caller. When it is decided the legs that are not needed are cancelled.
 */
export const CO_ALLOCATION_STATES = ['PENDING', 'SUCCEEDED', 'FAILED', 'CANCELLED'] as const;
export type CoAllocationState = (typeof CO_ALLOCATION_STATES)[number];

export const CO_ALLOCATION_MOVES: LegalMoves<CoAllocationState> = {
  PENDING: ['SUCCEEDED', 'FAILED', 'CANCELLED'],
  SUCCEEDED: [],
  FAILED: [],
  CANCELLED: [],
};
