import { Field, Float, ObjectType } from 'type-graphql';
import { FinishRefused } from '../../commands/offers/finish-refused.ts';
import { WarnedPayload } from '../directive/warned.payload.ts';
import { toMoment } from '../shared/moments.ts';
import { Payload } from '../shared/payload.ts';
import { DateTime } from '../shared/scalars.ts';
import { Job } from './job.type.ts';

@ObjectType({ description: 'The most that is on offer where no site can promise the finish that is asked for.' })
export class BestFinish {
  @Field(() => String, { description: 'The site that can promise the most by the deadline.' })
  siteName!: string;

  @Field(() => Float, { description: 'What it can promise; 0 where too little is known.' })
  probability!: number;

  @Field(() => DateTime, {
    nullable: true,
    description: 'The first moment by which the probability asked for can be promised; null where it never can.',
  })
  earliestAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'The site that can promise that.' })
  earliestSiteName!: string | null;
}

@ObjectType({ description: 'Answer of submitJob.' })
export class SubmitJobPayload extends WarnedPayload {
  @Field(() => Job, { nullable: true, description: 'The job; null when nothing was done.' })
  job?: Job | null;

  @Field(() => BestFinish, { nullable: true, description: 'With PROMISE_REFUSED, the most that is on offer.' })
  bestOffer?: BestFinish | null;
}

@ObjectType({ description: 'Answer of cancelJob.' })
export class CancelJobPayload extends Payload {
  @Field(() => Job, { nullable: true, description: 'The job; null when nothing was done.' })
  job?: Job | null;
}

/** The best offer that a refusal carries. */
export function bestFinishOf(error: unknown): BestFinish | null {
  if (!(error instanceof FinishRefused)) return null;
  const { siteName, probability, earliest } = error.best;
  return {
    siteName,
    probability,
    earliestAt: toMoment(earliest?.at ?? null),
    earliestSiteName: earliest?.siteName ?? null,
  };
}

@ObjectType({ description: 'Answer of submitNow.' })
export class SubmitNowPayload extends Payload {
  @Field(() => Job, { nullable: true, description: 'The job; null when nothing was done.' })
  job?: Job | null;
}
