import { Field, ID, InputType } from 'type-graphql';
import { KEY_RETENTION_DAYS } from '../../commands/carry-out/carry-out.ts';

export const IDEMPOTENCY_KEY =
  'A text of your choice. The same key with the same input gets the same answer, with another input an error. ' +
  `Answers are kept for ${KEY_RETENTION_DAYS} days; after that the key is as good as new.`;

/** What every mutation's input may carry. */
@InputType()
export abstract class IdempotentInput {
  @Field(() => String, { nullable: true, description: IDEMPOTENCY_KEY })
  idempotencyKey?: string | null;
}

@InputType({ description: 'Something to be cancelled.' })
export class CancelInput extends IdempotentInput {
  @Field(() => ID, { description: 'Global id of it.' })
  id!: string;
}
