import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { submitNow } from '../../commands/submit-now.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { decodeId } from '../shared/global-id.ts';
import { answer } from '../shared/payload.ts';
import { SubmitNowPayload } from './job.payload.ts';
import { jobPayload } from './job-changes.resolver.ts';
import { SubmitNowInput } from './submit-now.input.ts';

/** What is asked of jobs that are held back. */
@Resolver()
export class SubmitNowResolver {
  @Mutation(() => SubmitNowPayload, {
    complexity: 50,
    description: 'Has a job that is held back submitted at once, and never held back again.',
  })
  submitNow(
    @Arg('input', () => SubmitNowInput, { description: 'The job.' }) input: SubmitNowInput,
    @Ctx() context: ApiContext,
  ): Promise<SubmitNowPayload> {
    const caller = callerOf(context);
    return answer(context, async () => {
      const command = { id: decodeId(input.id, 'Job', 'input.id'), idempotencyKey: input.idempotencyKey ?? null };
      return jobPayload(context, await submitNow(context.commands, caller, command));
    });
  }
}
