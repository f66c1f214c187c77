import { Field, InputType } from 'type-graphql';
import { DateTime } from '../shared/scalars.ts';
import { WorkInput } from '../shared/work.input.ts';

@InputType({ description: 'A job to be run wherever it is predicted to end first.' })
export class SubmitJobInput extends WorkInput {
  @Field(() => DateTime, { nullable: true, description: 'When it must have ended; as soon as possible when absent.' })
  deadlineAt?: Date | null;
}
