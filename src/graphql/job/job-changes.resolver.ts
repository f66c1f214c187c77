import { Arg, Ctx, ID, Mutation, Resolver, Root, Subscription } from 'type-graphql';
import { cancelJob } from '../../commands/cancel-job.ts';
import { submitJob } from '../../commands/submit-job.ts';
import { invariant } from '../../domain/failures.ts';
import { type ApiContext, callerOf, renewLoaders } from '../context.ts';
import { warningsOf } from '../directive/script-directive.type.ts';
import { decodeId } from '../shared/global-id.ts';
import { CancelInput } from '../shared/idempotent.input.ts';
import { answer } from '../shared/payload.ts';
import { followChanges } from '../shared/subscriptions.ts';
import { SubmitJobInput, toSubmitCommand } from './job.input.ts';
import { bestFinishOf, CancelJobPayload, SubmitJobPayload } from './job.payload.ts';
import { Job } from './job.type.ts';

/** What is asked to be done with jobs, and what becomes of them. */
@Resolver()
export class JobChangesResolver {
  @Mutation(() => SubmitJobPayload, {
    complexity: 50,
    description: 'Takes a job in, to be run wherever that is best: unless told, where it is predicted to end first.',
  })
  submitJob(
    @Arg('input', () => SubmitJobInput, { description: 'The job.' }) input: SubmitJobInput,
    @Ctx() context: ApiContext,
  ): Promise<SubmitJobPayload> {
    const caller = callerOf(context);
    const submit = async () => {
      const taken = await submitJob(context.commands, caller, toSubmitCommand(input));
      return { ...(await jobPayload(context, taken)), warnings: warningsOf([input]) };
    };
    return answer<SubmitJobPayload>(context, submit, (error) => ({ bestOffer: bestFinishOf(error) }));
  }

  @Mutation(() => CancelJobPayload, {
    complexity: 50,
    description:
      'Asks for a job to be cancelled. Outputs of one that has ended, which are still being moved, are given up: they are TOO_LATE, and its folder is kept.',
  })
  cancelJob(
    @Arg('input', () => CancelInput, { description: 'The job.' }) input: CancelInput,
    @Ctx() context: ApiContext,
  ): Promise<CancelJobPayload> {
    const caller = callerOf(context);
    return answer(context, async () => {
      const command = { id: decodeId(input.id, 'Job', 'input.id'), idempotencyKey: input.idempotencyKey ?? null };
      return jobPayload(context, await cancelJob(context.commands, caller, command));
    });
  }

  @Subscription(() => Job, {
    subscribe: followChanges('Job', 'EXECUTION'),
    description:
      'A job, each time it changes; with an id at once and from then on until it is over and charged, which is told once. Every job of the tenant without one.',
  })
  async jobChanged(
    @Root() changedId: string,
    @Arg('id', () => ID, { nullable: true, description: 'Global id.' }) _id: string | null,
    @Ctx() context: ApiContext,
  ): Promise<Job> {
    const row = await context.loaders.execution.load(changedId);
    invariant(row, `job ${changedId} changed and is gone`);
    return new Job(row);
  }
}

/** The job of a command as it is now. */
export async function jobPayload(
  context: ApiContext,
  { executionId }: { executionId: string },
): Promise<{ job: Job | null }> {
  renewLoaders(context);
  const row = await context.loaders.execution.load(executionId);
  return { job: row && new Job(row) };
}
