import { Field, ObjectType } from 'type-graphql';
import { Payload } from '../shared/payload.ts';
import { Job } from './job.type.ts';

@ObjectType({ description: 'Answer of submitJob.' })
export class SubmitJobPayload extends Payload {
  @Field(() => Job, { nullable: true, description: 'The job; null when nothing was done.' })
  job?: Job | null;
}

@ObjectType({ description: 'Answer of cancelJob.' })
export class CancelJobPayload extends Payload {
  @Field(() => Job, { nullable: true, description: 'The job; null when nothing was done.' })
  job?: Job | null;
}
