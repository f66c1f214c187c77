import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { listJobGroups } from '../../store/job-groups.ts';
import { listJobs } from '../../store/jobs.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { Job, JobConnection } from '../job/job.type.ts';
import { JobFilterInput, toConditions } from '../job/job-filter.input.ts';
import { type Connection, PageArgs, pageComplexity, toConnection, toPageRequest } from '../shared/connection.ts';
import { findNode } from '../shared/node.resolver.ts';
import { JobGroup, JobGroupConnection, TaskCount } from './job-group.type.ts';

/** Arrays, and how they stand. */
@Resolver(() => JobGroup)
export class JobGroupResolver {
  @Query(() => JobGroup, { nullable: true, description: 'One group of the caller; null when it can see no such one.' })
  async jobGroup(
    @Arg('id', () => ID, { description: 'Global id.' }) id: string,
    @Ctx() context: ApiContext,
  ): Promise<JobGroup | null> {
    callerOf(context);
    return (await findNode(context, id, 'JobGroup')) as JobGroup | null;
  }

  @Query(() => JobGroupConnection, {
    complexity: pageComplexity,
    description: "The groups of the caller's tenant, newest first.",
  })
  async jobGroups(@Args(() => PageArgs) page: PageArgs, @Ctx() context: ApiContext): Promise<Connection<JobGroup>> {
    const { tenantId } = callerOf(context);
    const request = toPageRequest(page);
    const rows = await listJobGroups(context.commands.database.db, tenantId, request);
    return toConnection(rows, request, (row) => new JobGroup(row));
  }

  @FieldResolver(() => [TaskCount], { complexity: 5, description: 'How many of its tasks are where.' })
  async counts(@Root() { row }: JobGroup, @Ctx() { loaders }: ApiContext): Promise<TaskCount[]> {
    return (await loaders.tasksOf.load(row.id)).map((tally) => new TaskCount(tally));
  }

  @FieldResolver(() => JobConnection, { complexity: pageComplexity, description: 'Its tasks.' })
  async jobs(
    @Root() { row }: JobGroup,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => JobFilterInput, { nullable: true, description: 'Only those that meet it.' })
    filter: JobFilterInput | null,
    @Ctx() context: ApiContext,
  ): Promise<Connection<Job>> {
    const request = toPageRequest(page);
    const meant = [{ groupId: row.id }, toConditions(filter, 'filter')];
    const which = { tenantId: row.tenantId, includeReserved: true, meant };
    const rows = await listJobs(context.commands.database.db, which, request);
    return toConnection(rows, request, (job) => new Job(job));
  }
}
