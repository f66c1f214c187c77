import { Field, Float, Int, ObjectType } from 'type-graphql';
import {
  type CoAllocationRule,
  type CoAllocationState,
  type LegMissPolicy,
  type RuleTree,
} from '../../domain/co-allocation.ts';
import type { CoAllocationRow } from '../../store/co-allocations.ts';
import { connectionType } from '../shared/connection.ts';
import { CoAllocationRuleEnum, CoAllocationStateEnum, LegMissPolicyEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { Node } from '../shared/node.type.ts';
import { DateTime } from '../shared/scalars.ts';
import { ruleText } from './rule-text.ts';

@ObjectType({ description: 'A rule over legs and other rules: a leg, or a rule with members.' })
export class Rule {
  constructor(private readonly tree: RuleTree) {}

  @Field(() => String, { nullable: true, description: 'Name of the leg; null for a rule with members.' })
  get leg(): string | null {
    return 'legId' in this.tree ? this.tree.legId : null;
  }

  @Field(() => CoAllocationRuleEnum, { nullable: true, description: 'How many members must be met; null for a leg.' })
  get rule(): CoAllocationRule | null {
    return 'legId' in this.tree ? null : this.tree.rule;
  }

  @Field(() => Int, { nullable: true, description: 'With rule AT_LEAST, how many are enough.' })
  get atLeast(): number | null {
    return 'legId' in this.tree ? null : this.tree.atLeast;
  }

  @Field(() => [Rule], {
    complexity: ({ childComplexity }) => 1 + USUAL_MEMBERS * childComplexity,
    description: 'What the rule is about; empty for a leg.',
  })
  get members(): Rule[] {
    return 'legId' in this.tree ? [] : this.tree.members.map((member) => new Rule(member));
  }
}

const USUAL_MEMBERS = 4;

@ObjectType({
  implements: Node,
  description: 'A group of reservations with one start time and a rule how many must be running.',
})
export class CoAllocation extends Node {
  readonly nodeType = 'CoAllocation';

  constructor(readonly row: CoAllocationRow) {
    super(row.id);
  }

  @Field(() => CoAllocationRuleEnum, {
    description: 'How many legs must be running, or members of a nested rule be met.',
  })
  get rule(): CoAllocationRule {
    return this.row.rule.rule;
  }

  @Field(() => Int, { nullable: true, description: 'With rule AT_LEAST, how many are enough.' })
  get atLeast(): number | null {
    return this.row.rule.atLeast;
  }

  @Field(() => Rule, { description: 'The whole rule. A leg a that is tried at several sites is any of a#1, a#2.' })
  get nestedRule(): Rule {
    return new Rule(this.row.rule);
  }

  @Field(() => String, { description: 'The whole rule in words.' })
  get ruleText(): string {
    return ruleText(this.row.rule);
  }

  @Field(() => LegMissPolicyEnum, { description: 'What is done about legs that have missed.' })
  get ifLegMissed(): LegMissPolicy {
    return this.row.ifLegMissed;
  }

  @Field(() => DateTime, { description: 'When they must be running.' })
  get startAt(): Date {
    return toMoment(this.row.startAt);
  }

  @Field(() => Float, { description: 'Joint probability the caller asked for.' })
  get probability(): number {
    return this.row.probability;
  }

  @Field(() => Float, { description: 'Joint probability that was promised, at least as much.' })
  get promisedProbability(): number {
    return this.row.promisedProbability;
  }

  @Field(() => Float, {
    nullable: true,
    description:
      'What dependence between its sites would leave of that in the worst case, as measured when it was promised; null in groups older than this figure.',
  })
  get pessimisticProbability(): number | null {
    return this.row.pessimisticProbability;
  }

  @Field(() => Int, {
    nullable: true,
    description:
      'What that rests on: six-hour spans in which forecasts came out at both of two of its sites, for the two with the fewest; null for a single site.',
  })
  get pairedObservations(): number | null {
    return this.row.pairedObservations;
  }

  @Field(() => CoAllocationStateEnum, { description: 'Where it is in its life.' })
  get state(): CoAllocationState {
    return this.row.state;
  }

  @Field(() => String, { nullable: true, description: 'Why it was decided as it was.' })
  get reason(): string | null {
    return this.row.reason;
  }

  @Field(() => DateTime, { nullable: true, description: 'When it was decided.' })
  get decidedAt(): Date | null {
    return toMoment(this.row.decidedAt);
  }

  @Field(() => DateTime, { description: 'When it was promised.' })
  get createdAt(): Date {
    return toMoment(this.row.createdAt);
  }
}

export const CoAllocationConnection = connectionType('CoAllocation', CoAllocation);
