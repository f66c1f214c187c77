import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { CoAllocationRule, CoAllocationState } from '../../domain/co-allocation.ts';
import type { CoAllocationRow } from '../../store/co-allocations.ts';
import { connectionType } from '../shared/connection.ts';
import { CoAllocationRuleEnum, CoAllocationStateEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { Node } from '../shared/node.type.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({
  implements: Node,
  description: 'A group of reservations with one start time and a rule how many must be running.',
})
export class CoAllocation extends Node {
  readonly nodeType = 'CoAllocation';

  constructor(readonly row: CoAllocationRow) {
    super(row.id);
  }

  @Field(() => CoAllocationRuleEnum, { description: 'How many legs must be running.' })
  get rule(): CoAllocationRule {
    return this.row.rule;
  }

  @Field(() => Int, { nullable: true, description: 'With rule AT_LEAST, how many are enough.' })
  get atLeast(): number | null {
    return this.row.atLeast;
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

  @Field(() => CoAllocationStateEnum, { description: 'Where it is in its life.' })
  get state(): CoAllocationState {
    return this.row.state;
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
