import type { RuleTree } from '../../domain/co-allocation.ts';

/** A rule in words: `all of (any of (a, b), at least 2 of (c, d, e))`. */
export function ruleText(rule: RuleTree): string {
  if ('legId' in rule) return rule.legId;
  const word = rule.rule === 'AT_LEAST' ? `at least ${rule.atLeast}` : rule.rule.toLowerCase();
  return `${word} of (${rule.members.map(ruleText).join(', ')})`;
}
