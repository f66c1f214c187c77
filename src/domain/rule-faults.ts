import { legsOfRule, type RuleGroup, type RuleTree } from './co-allocation.ts';
import { CallerError } from './failures.ts';

/** Rules may be nested this deep. */
export const DEEPEST_RULE = 5;

/**
 * What is wrong with a caller's rule: an empty group, a count that does not go with its rule, a leg that is unknown, named twice or
 * left out, too much nesting. Each fault names the field below `field`; none when the rule is sound.
 */
export function findRuleFaults(rule: RuleTree, legIds: readonly string[], field: string): CallerError[] {
  const named = legsOfRule(rule);
  const missing = legIds.filter((legId) => !named.includes(legId));
  const twice = [...new Set(named.filter((legId, index) => named.indexOf(legId) !== index))];
  const faults = [...faultsBelow(rule, new Set(legIds), field, 1)];
  if (missing.length > 0)
    faults.push(invalid(field, `every leg is part of the rule; it leaves out ${listed(missing)}`));
  if (twice.length > 0) faults.push(invalid(field, `a leg is named once in the rule; it names ${listed(twice)} again`));
  return faults;
}

function* faultsBelow(
  rule: RuleTree,
  legIds: ReadonlySet<string>,
  field: string,
  depth: number,
): Generator<CallerError> {
  if ('legId' in rule) {
    if (!legIds.has(rule.legId))
      yield invalid(field, `there is no leg ${rule.legId}; there are ${listed([...legIds])}`);
    return;
  }
  yield* groupFaults(rule, field);
  if (depth > DEEPEST_RULE) yield invalid(field, `rules are nested at most ${DEEPEST_RULE} deep`);
  else
    for (const [i, member] of rule.members.entries())
      yield* faultsBelow(member, legIds, `${field}.members[${i}]`, depth + 1);
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
