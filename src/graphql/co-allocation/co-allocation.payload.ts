import { Field, Float, Int, ObjectType } from 'type-graphql';
import { JointPromiseRefused } from '../../commands/offers/joint-promise-refused.ts';
import { WarnedPayload } from '../directive/warned.payload.ts';
import { Payload } from '../shared/payload.ts';
import { CoAllocation } from './co-allocation.type.ts';

@ObjectType({ description: 'What comes closest to a joint promise that no sites make.' })
export class BestJointOffer {
  @Field(() => Float, { description: 'Joint probability of the sites that come closest.' })
  probability!: number;

  @Field(() => Float, { description: 'What dependence between them would leave of that in the worst case.' })
  pessimisticProbability!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'Six-hour spans in which forecasts came out at both of two of them, for the two with the fewest; null for a single site.',
  })
  pairedObservations!: number | null;
}

@ObjectType({ description: 'Answer of coAllocate.' })
export class CoAllocatePayload extends WarnedPayload {
  @Field(() => CoAllocation, { nullable: true, description: 'The group; null when nothing was done.' })
  coAllocation?: CoAllocation | null;

  @Field(() => BestJointOffer, {
    nullable: true,
    description: 'With PROMISE_REFUSED or PADDING_TOO_HIGH, the most that is on offer.',
  })
  bestOffer?: BestJointOffer | null;
}

/** The best offer that a refusal carries. */
export function bestJointOfferOf(error: unknown): BestJointOffer | null {
  if (!(error instanceof JointPromiseRefused)) return null;
  const { jointProbability, pessimistic } = error.best;
  const { probability: pessimisticProbability, pairedObservations } = pessimistic;
  return { probability: jointProbability, pessimisticProbability, pairedObservations };
}

@ObjectType({ description: 'Answer of cancelCoAllocation.' })
export class CancelCoAllocationPayload extends Payload {
  @Field(() => CoAllocation, { nullable: true, description: 'The group; null when nothing was done.' })
  coAllocation?: CoAllocation | null;
}
