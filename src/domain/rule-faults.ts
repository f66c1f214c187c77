import { legsOfRule, type RuleGroup, type RuleTree } from './co-allocation.ts';
import { CallerError } from './failures.ts';

/** Rules may be nested this deep. */
export const DEEPEST_RULE = 5;

/** After so many faults no more are looked for. */
export const MOST_RULE_FAULTS = 20;

/**
 * What is wrong with a caller's rule: an empty group, a count that does not go with its rule, a leg that is unknown,
 * named twice or left out, too much nesting. Each fault names the field below `field`; none when the rule is sound. One
 * look at each member, and none at what comes after a score of faults.
 */
export function findRuleFaults(rule: RuleTree, legIds: readonly string[], field: string): CallerError[] {
  const seen: SeenLegs = { known: new Set(legIds), named: new Set(), twice: new Set() };
  const faults: CallerError[] = [];
  for (const fault of faultsBelow(rule, seen, field, 1)) {
    faults.push(fault);
    if (faults.length >= MOST_RULE_FAULTS) return faults;
  }
  const missing = legIds.filter((legId) => !seen.named.has(legId));
  const twice = [...seen.twice];
  if (missing.length > 0)
    faults.push(invalid(field, `every leg is part of the rule; it leaves out ${listed(missing)}`));
  if (twice.length > 0) faults.push(invalid(field, `a leg is named once in the rule; it names ${listed(twice)} again`));
  return faults;
}

interface SeenLegs {
  readonly known: ReadonlySet<string>;
  readonly named: Set<string>;
  /** Of the known ones, in the order in which they came again. */
  readonly twice: Set<string>;
}

function* faultsBelow(rule: RuleTree, seen: SeenLegs, field: string, depth: number): Generator<CallerError> {
  if ('legId' in rule) {
    const { legId } = rule;
    if (!seen.known.has(legId))
      yield invalid(`${field}.leg`, `there is no leg ${legId}; there are ${listed([...seen.known])}`);
    else if (seen.named.has(legId)) seen.twice.add(legId);
    seen.named.add(legId);
    return;
  }
  yield* groupFaults(rule, field);
  if (depth > DEEPEST_RULE) {
    for (const legId of legsOfRule(rule)) seen.named.add(legId);
    yield invalid(field, `rules are nested at most ${DEEPEST_RULE} deep`);
  } else
    for (const [i, member] of rule.members.entries()) {
      yield* faultsBelow(member, seen, `${field}.members[${i}]`, depth + 1);
    }
}

function* groupFaults({ rule, atLeast, members }: RuleGroup, field: string): Generator<CallerError> {
  const count = members.length;
  if (count === 0) yield invalid(`${field}.members`, 'a rule has at least one member');
  if (rule !== 'AT_LEAST') {
    if (atLeast !== null) {
      yield invalid(`${field}.atLeast`, `atLeast goes with rule AT_LEAST only, the rule is ${rule}`);
    }
  } else if (atLeast === null || !Number.isInteger(atLeast) || atLeast < 1 || atLeast > count) {
    yield invalid(`${field}.atLeast`, `rule AT_LEAST needs atLeast from 1 to the ${count} members, got ${atLeast}`);
  }
}

function invalid(field: string, message: string): CallerError {
  return new CallerError('INVALID', field, message);
}

function listed(legIds: readonly string[]): string {
  return legIds.join(', ') || 'none';
}
