import { Field, Float, InputType, Int } from 'type-graphql';
import {
  LARGEST_MEMORY_FACTOR,
  MOST_TRIES,
  type RetryOutcome,
  type RetryPolicy,
  USUAL_MEMORY_FACTOR,
} from '../../domain/retry.ts';
import { JobOutcomeEnum } from '../shared/enums.ts';

export const RETRY =
  'When it is run again: after NODE_FAIL and PREEMPTED as it was, after TIMEOUT with a longer walltime, after OUT_OF_MEMORY with more memory, after FAILED as it was. Every try is charged. Goes without finishBy and startAfter.';

@InputType({ description: 'When a job is run again, and what more it may ask for then.' })
export class RetryInput {
  @Field(() => [JobOutcomeEnum], {
    description: 'After which ends: NODE_FAIL, PREEMPTED, TIMEOUT, OUT_OF_MEMORY, FAILED.',
  })
  on!: RetryOutcome[];

  @Field(() => Int, { defaultValue: 3, description: `How often it is run in all, from 2 to ${MOST_TRIES}.` })
  attempts!: number;

  @Field(() => Int, {
    nullable: true,
    description: "The longest walltime that a later try may ask for; only its queue's limit bounds it when absent.",
  })
  walltimeAtMostSeconds?: number | null;

  @Field(() => Float, {
    defaultValue: USUAL_MEMORY_FACTOR,
    description: `By what the memory is multiplied that it ran out of; above 1, at most ${LARGEST_MEMORY_FACTOR}.`,
  })
  memoryFactor!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'The most memory that a later try may ask for, of a node or of a processor, as the job says it.',
  })
  memoryAtMostMebibytes?: number | null;
}

/** The policy in the words of the commands; nothing to say of none. */
export function toRetry({ retry }: { retry?: RetryInput | null }): { retry?: RetryPolicy } {
  if (!retry) return {};
  const { on, attempts: mostTries, memoryFactor } = retry;
  const walltimeAtMostSeconds = retry.walltimeAtMostSeconds ?? null;
  const memoryAtMostMebibytes = retry.memoryAtMostMebibytes ?? null;
  return { retry: { on, mostTries, walltimeAtMostSeconds, memoryFactor, memoryAtMostMebibytes } };
}

export { LABELS, LabelInput } from './job-filter.input.ts';
