import { Field, Float, InputType, Int } from 'type-graphql';
import type { CoAllocateInput as CoAllocateCommand } from '../../commands/input/co-allocation-input.ts';
import { usualPaddingCap } from '../../commands/input/usual-padding.ts';
import {
  type CoAllocationRule,
  flatRule,
  type LegMissPolicy,
  type RuleGroup,
  type RuleTree,
} from '../../domain/co-allocation.ts';
import { CallerError } from '../../domain/failures.ts';
import { CoAllocationRuleEnum, LegMissPolicyEnum } from '../shared/enums.ts';
import { IdempotentInput } from '../shared/idempotent.input.ts';
import { fromMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { MAX_PADDING, toPromisedWork, WorkFields } from '../shared/work.input.ts';

@InputType({ description: 'One job of a co-allocation.' })
export class LegInput extends WorkFields {
  @Field(() => String, {
    nullable: true,
    description: 'Its name in a nested rule; its place in the list, from 0, when absent.',
  })
  id?: string | null;

  @Field(() => Float, { nullable: true, description: MAX_PADDING })
  maxPaddingProcessorSeconds?: number | null;
}

@InputType({
  description: 'A rule made of rules. Either a leg, or a rule over members, which are legs or rules themselves.',
})
export class RuleInput {
  @Field(() => String, { nullable: true, description: 'Name of a leg, which must be running.' })
  leg?: string | null;

  @Field(() => CoAllocationRuleEnum, { nullable: true, description: 'How many of the members must be met.' })
  rule?: CoAllocationRule | null;

  @Field(() => Int, { nullable: true, description: 'With rule AT_LEAST, how many are enough.' })
  atLeast?: number | null;

  @Field(() => [RuleInput], { nullable: true, description: 'What the rule is about.' })
  members?: RuleInput[] | null;
}

@InputType({ description: 'Several jobs at different sites that must be running at one moment.' })
export class CoAllocateInput extends IdempotentInput {
  @Field(() => CoAllocationRuleEnum, {
    nullable: true,
    description: 'How many of them must be running; absent with a nested rule.',
  })
  rule?: CoAllocationRule | null;

  @Field(() => Int, { nullable: true, description: 'With rule AT_LEAST, how many are enough.' })
  atLeast?: number | null;

  @Field(() => RuleInput, {
    nullable: true,
    description: 'Which of them must be running, where one word does not say it: all of (any of a, b), (any of c, d).',
  })
  nestedRule?: RuleInput | null;

  @Field(() => LegMissPolicyEnum, {
    defaultValue: 'CANCEL_ALL',
    description: 'What is done about legs that have missed.',
  })
  ifLegMissed!: LegMissPolicy;

  @Field(() => DateTime, { description: 'When they must be running.' })
  startAt!: Date;

  @Field(() => Float, { description: 'How surely the rule must be met, between 0 and 1, both excluded.' })
  probability!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'How surely it must be met however its sites may depend on each other, between 0 and 1, both excluded; any when absent.',
  })
  minimumPessimisticProbability?: number | null;

  @Field(() => [LegInput], {
    description: 'The jobs. Each goes to sites of its own; those not worth their charge are left out.',
  })
  legs!: LegInput[];

  @Field(() => Int, {
    defaultValue: 1,
    description:
      'At how many sites one leg may be tried, where that is needed or cheaper. The first to start wins, the others are cancelled; leg a is then any of legs a#1, a#2.',
  })
  mostSitesPerLeg!: number;
}

/**
 * The input in the words of the command.
 * @throws CallerError INVALID when the rule is not given in one way
 */
export function toCoAllocateCommand(input: CoAllocateInput): CoAllocateCommand {
  const { startAt, probability, ifLegMissed, mostSitesPerLeg, idempotencyKey = null } = input;
  const minimumPessimisticProbability = input.minimumPessimisticProbability ?? null;
  const legs = input.legs.map((leg, index) => toLeg(leg, index));
  const names = legs.map(({ legId }) => legId);
  const surely = { probability, minimumPessimisticProbability, mostSitesPerLeg };
  return { ...ruleOf(input, names), ...surely, startAt: fromMoment(startAt), ifLegMissed, legs, idempotencyKey };
}

function toLeg(leg: LegInput, index: number): CoAllocateCommand['legs'][number] {
  const work = toPromisedWork(leg, `input.legs[${index}]`);
  const { maxPaddingProcessorSeconds = null } = leg;
  const maxExpectedPaddingProcessorSeconds = usualPaddingCap({ ...work, maxPaddingProcessorSeconds });
  return { ...work, legId: leg.id ?? String(index), maxPaddingProcessorSeconds, maxExpectedPaddingProcessorSeconds };
}

function ruleOf(
  { rule = null, atLeast = null, nestedRule = null }: CoAllocateInput,
  names: readonly string[],
): { rule: RuleGroup; rulePath: string } {
  if (rule && !nestedRule) return { rule: flatRule(rule, atLeast, names), rulePath: 'input' };
  if (!nestedRule || rule || atLeast !== null) {
    throw new CallerError('INVALID', 'input.rule', 'give either rule, with atLeast where it needs it, or nestedRule');
  }
  const tree = toRule(nestedRule, 'input.nestedRule');
  if ('legId' in tree) throw new CallerError('INVALID', 'input.nestedRule.leg', 'the outermost rule is not a leg');
  return { rule: tree, rulePath: 'input.nestedRule' };
}

function toRule({ leg, rule, atLeast, members }: RuleInput, path: string): RuleTree {
  if (typeof leg === 'string' && !rule && !members && (atLeast ?? null) === null) return { legId: leg };
  if (typeof leg === 'string' || !rule || !members) {
    throw new CallerError('INVALID', path, 'a rule is either a leg, or a rule with its members');
  }
  return {
    rule,
    atLeast: atLeast ?? null,
    members: members.map((member, index) => toRule(member, `${path}.members[${index}]`)),
  };
}
