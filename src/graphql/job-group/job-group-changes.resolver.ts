import { Arg, Ctx, ID, Mutation, Resolver, Root, Subscription } from 'type-graphql';
import { submitArray } from '../../commands/submit-array.ts';
import { invariant } from '../../domain/failures.ts';
import { type ApiContext, callerOf, renewLoaders } from '../context.ts';
import { warningsOf } from '../directive/script-directive.type.ts';
import { answer } from '../shared/payload.ts';
import { followChanges } from '../shared/subscriptions.ts';
import { SubmitArrayInput, SubmitArrayPayload, toArray } from './job-group.input.ts';
import { JobGroup } from './job-group.type.ts';

/** What is asked to be done with arrays, and what becomes of them. */
@Resolver()
export class JobGroupChangesResolver {
  @Mutation(() => SubmitArrayPayload, {
    complexity: 200,
    description: 'Takes many jobs in by one call. Their sites are planned for all of them together.',
  })
  submitArray(
    @Arg('input', () => SubmitArrayInput, { description: 'The array.' }) input: SubmitArrayInput,
    @Ctx() context: ApiContext,
  ): Promise<SubmitArrayPayload> {
    const caller = callerOf(context);
    return answer<SubmitArrayPayload>(context, async () => {
      const { groupId } = await submitArray(context.commands, caller, toArray(input));
      renewLoaders(context);
      const row = await context.loaders.jobGroup.load(groupId);
      return { group: row && new JobGroup(row), warnings: warningsOf([input]) };
    });
  }

  @Subscription(() => JobGroup, {
    subscribe: followChanges('JobGroup', 'JOB_GROUP'),
    description:
      'A group, when tasks of it have gone to sites or ended; with an id at once and from then on until its last task has ended and is charged, which is told once. All of the tenant without one.',
  })
  async groupChanged(
    @Root() changedId: string,
    @Arg('id', () => ID, { nullable: true, description: 'Global id.' }) _id: string | null,
    @Ctx() context: ApiContext,
  ): Promise<JobGroup> {
    const row = await context.loaders.jobGroup.load(changedId);
    invariant(row, `group ${changedId} changed and is gone`);
    return new JobGroup(row);
  }
}
