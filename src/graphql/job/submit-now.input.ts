import { Field, ID, InputType } from 'type-graphql';
import { IdempotentInput } from '../shared/idempotent.input.ts';

@InputType({ description: 'A job that is not to be held back any longer.' })
export class SubmitNowInput extends IdempotentInput {
  @Field(() => ID, { description: 'Global id of the job.' })
  id!: string;
}
