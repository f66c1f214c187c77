import { Field, Float, InputType } from 'type-graphql';
import type { FinishInput } from '../../commands/input/finish-input.ts';
import { MissPolicyEnum } from './enums.ts';
import { fromMoment } from './moments.ts';
import { DateTime } from './scalars.ts';

/** How the field of an input is described that takes it. */
export const FINISH_BY =
  'By when it is to have finished its work, with a probability that is promised; refused with the best on offer. Goes without deadlineAt, which promises nothing.';

@InputType({ description: 'A deadline that is promised: a job that its walltime kills has not finished by it.' })
export class FinishByInput {
  @Field(() => DateTime, { description: 'When it is to have finished.' })
  at!: Date;

  @Field(() => Float, { description: 'How surely, above 0 and at most 0.99.' })
  probability!: number;

  @Field(() => MissPolicyEnum, {
    defaultValue: 'CANCEL',
    description: 'What becomes of it when it has not finished by then.',
  })
  ifMissed!: FinishInput['ifMissed'];
}

/**
 * The deadlines of an input in the words of the commands, null for none: the one that is not promised, and the other.
 */
export function toDeadlines(input: { deadlineAt?: Date | null; finishBy?: FinishByInput | null }) {
  return { deadlineAt: fromMoment(input.deadlineAt), finishBy: toFinishBy(input.finishBy) };
}

function toFinishBy(input: FinishByInput | null | undefined): FinishInput | null {
  if (!input) return null;
  const { at, probability, ifMissed } = input;
  return { at: fromMoment(at), probability, ifMissed };
}
