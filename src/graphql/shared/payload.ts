import { Field, ObjectType } from 'type-graphql';
import { faultsOf } from '../../commands/input/faults.ts';
import { CallerError, type CallerErrorCode } from '../../domain/failures.ts';
import { type ApiContext, renewLoaders } from '../context.ts';
import { CallerErrorCodeEnum } from './enums.ts';

@ObjectType({ description: "Why a request was not carried out: the caller's to mend. Nothing has changed." })
export class UserError {
  @Field(() => CallerErrorCodeEnum, { description: 'The reason, for programs.' })
  code!: CallerErrorCode;

  @Field(() => String, { nullable: true, description: 'Path of the input field at fault; null when no single one is.' })
  field!: string | null;

  @Field(() => String, { description: 'The reason with its figures and the remedy, for people.' })
  message!: string;
}

/** What every mutation answers beside its object. */
@ObjectType()
export abstract class Payload {
  @Field(() => [UserError], { description: 'Empty when it was carried out.' })
  userErrors!: UserError[];
}

/**
 * Runs a mutation: what it returns is the payload, a mistake of the caller becomes `userErrors`, anything else is a
 * fault of ours.
 * @param refused fields of the payload that explain the mistake
 */
export async function answer<Answer extends Payload>(
  context: ApiContext,
  carryOut: () => Promise<Omit<Answer, 'userErrors'>>,
  refused: (error: CallerError) => Partial<Answer> = () => ({}),
): Promise<Partial<Answer> & Payload> {
  try {
    return { ...(await carryOut()), userErrors: [] } as Payload as Partial<Answer> & Payload;
  } catch (error) {
    if (!(error instanceof CallerError)) throw error;
    const userErrors = faultsOf(error).map(({ code, field, message }) => ({ code, field, message }));
    return { ...refused(error), userErrors };
  } finally {
    renewLoaders(context);
  }
}
