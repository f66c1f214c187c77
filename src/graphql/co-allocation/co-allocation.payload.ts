import { Field, ObjectType } from 'type-graphql';
import { Payload } from '../shared/payload.ts';
import { CoAllocation } from './co-allocation.type.ts';

@ObjectType({ description: 'Answer of coAllocate.' })
export class CoAllocatePayload extends Payload {
  @Field(() => CoAllocation, { nullable: true, description: 'The group; null when nothing was done.' })
  coAllocation?: CoAllocation | null;
}

@ObjectType({ description: 'Answer of cancelCoAllocation.' })
export class CancelCoAllocationPayload extends Payload {
  @Field(() => CoAllocation, { nullable: true, description: 'The group; null when nothing was done.' })
  coAllocation?: CoAllocation | null;
}
