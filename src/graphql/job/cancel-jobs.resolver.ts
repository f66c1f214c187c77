import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { cancelJobs, countCancellable, MOST_CANCELLED } from '../../commands/cancel-jobs.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { IdempotentInput } from '../shared/idempotent.input.ts';
import { toMoment } from '../shared/moments.ts';
import { answer, Payload } from '../shared/payload.ts';
import { DateTime } from '../shared/scalars.ts';
import { JobFilterInput, toConditions } from './job-filter.input.ts';

@InputType({ description: 'Which jobs are to be cancelled.' })
export class CancelJobsInput extends IdempotentInput {
  @Field(() => JobFilterInput, {
    description: `Open jobs that meet it, bodies of reservations apart; at least one condition, at most ${MOST_CANCELLED} jobs.`,
  })
  filter!: JobFilterInput;

  @Field(() => Int, {
    nullable: true,
    description: 'How many these are, as a dry run has told; nothing is done where that is not so any more.',
  })
  expectedCount?: number | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Only count them.' })
  dryRun!: boolean;
}

@ObjectType({ description: 'Answer of cancelJobs.' })
export class CancelJobsPayload extends Payload {
  @Field(() => Int, {
    nullable: true,
    description: 'Open jobs that are asked to be cancelled, or would be; null when nothing was done.',
  })
  matched?: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'When it was wanted. Jobs that were asked for before are cancelled, too, though they were still being written down.',
  })
  wantedAt?: Date | null;
}

/** What is asked of many jobs at once. */
@Resolver()
export class CancelJobsResolver {
  @Mutation(() => CancelJobsPayload, {
    complexity: 100,
    description:
      "Asks for all open jobs to be cancelled that meet a filter; of role GATEWAY the caller's own. Workers carry it out in pieces.",
  })
  cancelJobs(
    @Arg('input', () => CancelJobsInput, { description: 'The jobs.' }) input: CancelJobsInput,
    @Ctx() context: ApiContext,
  ): Promise<CancelJobsPayload> {
    const caller = callerOf(context);
    const { expectedCount = null, idempotencyKey = null, dryRun } = input;
    return answer<CancelJobsPayload>(context, async () => {
      const command = { conditions: toConditions(input.filter, 'input.filter'), expectedCount, idempotencyKey };
      const carryOut = dryRun ? countCancellable : cancelJobs;
      const { matched, wantedAt } = await carryOut(context.commands, caller, command);
      return { matched, wantedAt: toMoment(wantedAt) };
    });
  }
}
