import { Field, Float, InputType, Int } from 'type-graphql';
import type { CoAllocateInput as CoAllocateCommand } from '../../commands/co-allocate.ts';
import type { CoAllocationRule } from '../../domain/co-allocation.ts';
import { CoAllocationRuleEnum } from '../shared/enums.ts';
import { IdempotentInput } from '../shared/idempotent.input.ts';
import { fromMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { toWork, WorkFields } from '../shared/work.input.ts';

@InputType({ description: 'One job of a co-allocation.' })
export class LegInput extends WorkFields {}

@InputType({ description: 'Several jobs at different sites that must be running at one moment.' })
export class CoAllocateInput extends IdempotentInput {
  @Field(() => CoAllocationRuleEnum, { description: 'How many of them must be running.' })
  rule!: CoAllocationRule;

  @Field(() => Int, { nullable: true, description: 'With rule AT_LEAST, how many are enough.' })
  atLeast?: number | null;

  @Field(() => DateTime, { description: 'When they must be running.' })
  startAt!: Date;

  @Field(() => Float, { description: 'How surely the rule must be met, between 0 and 1, both excluded.' })
  probability!: number;

  @Field(() => [LegInput], {
    description: 'The jobs. Each goes to a site of its own; those not worth their charge are left out.',
  })
  legs!: LegInput[];
}

/** The input in the words of the command. */
export function toCoAllocateCommand(input: CoAllocateInput): CoAllocateCommand {
  const { rule, atLeast = null, startAt, probability, legs, idempotencyKey = null } = input;
  return {
    rule,
    atLeast,
    startAt: fromMoment(startAt),
    probability,
    legs: legs.map((leg, index) => toWork(leg, `input.legs[${index}]`)),
    idempotencyKey,
  };
}
