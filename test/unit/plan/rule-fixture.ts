import fc from 'fast-check';
import type { CoAllocationRule, LegStanding, RuleTree } from '../../../src/domain/co-allocation.ts';
import { renameLegs } from '../../../src/domain/co-allocation.ts';

export function all(...members: (RuleTree | string)[]): RuleTree {
  return group('ALL', null, members);
}

export function any(...members: (RuleTree | string)[]): RuleTree {
  return group('ANY', null, members);
}

export function atLeast(count: number, ...members: (RuleTree | string)[]): RuleTree {
  return group('AT_LEAST', count, members);
}

export const holding = (legId: string, heldSinceAt: number): LegStanding => ({ legId, state: 'HOLDING', heldSinceAt });
export const waiting = (legId: string): LegStanding => ({ legId, state: 'WAITING', heldSinceAt: null });
export const failed = (legId: string): LegStanding => ({ legId, state: 'FAILED', heldSinceAt: null });
export const givenUp = (legId: string): LegStanding => ({ legId, state: 'GIVEN_UP', heldSinceAt: null });

/** Rules of up to three levels whose legs are l0, l1 and so on. */
export function arbitraryRule(): fc.Arbitrary<RuleTree> {
  const { tree } = fc.letrec<{ tree: RuleTree; group: RuleTree; leg: RuleTree }>((tie) => ({
    leg: fc.constant({ legId: '' }),
    group: fc
      .tuple(fc.array(tie('tree'), { minLength: 1, maxLength: 3 }), fc.constantFrom('ALL', 'ANY', 'AT_LEAST'), fc.nat())
      .map(([members, rule, count]): RuleTree => {
        const needed = rule === 'AT_LEAST' ? (count % members.length) + 1 : null;
        return { rule: rule as CoAllocationRule, atLeast: needed, members };
      }),
    tree: fc.oneof({ maxDepth: 2, depthSize: 'small' }, tie('leg'), tie('group')),
  }));
  return tree.map((rule) => {
    let next = 0;
    return renameLegs(rule, () => `l${next++}`);
  });
}

/** Whether a rule is met by exactly the legs that run, from its definition. */
export function isMet(rule: RuleTree, runs: (legId: string) => boolean): boolean {
  if ('legId' in rule) return runs(rule.legId);
  const met = rule.members.filter((member) => isMet(member, runs)).length;
  if (rule.rule === 'ALL') return met === rule.members.length;
  return met >= (rule.atLeast ?? 1);
}

function group(rule: CoAllocationRule, count: number | null, members: readonly (RuleTree | string)[]): RuleTree {
  return {
    rule,
    atLeast: count,
    members: members.map((member) => (typeof member === 'string' ? { legId: member } : member)),
  };
}
