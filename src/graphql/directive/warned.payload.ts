import { Field, ObjectType } from 'type-graphql';
import { Payload } from '../shared/payload.ts';

/** What mutations answer that take a script. */
@ObjectType()
export abstract class WarnedPayload extends Payload {
  @Field(() => [String], {
    nullable: true,
    description:
      'What its script asks a batch system for by directive lines and the job does not ask for, with the remedies; null when nothing was done.',
  })
  warnings?: string[] | null;
}
