import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import type { ExecutionState } from '../../domain/execution.ts';
import { labelOf } from '../../domain/label.ts';
import { findJobByKey, listJobs } from '../../store/jobs.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { JobGroup } from '../job-group/job-group.type.ts';
import { type Connection, PageArgs, pageComplexity, toConnection, toPageRequest } from '../shared/connection.ts';
import { JobStateEnum } from '../shared/enums.ts';
import { decodeId } from '../shared/global-id.ts';
import { Job, JobConnection } from './job.type.ts';
import { JobFilterInput, LabelOfJob, toConditions } from './job-filter.input.ts';

/** By what jobs are found. */
@Resolver(() => Job)
export class JobLookupResolver {
  @Query(() => JobConnection, {
    complexity: pageComplexity,
    description: "The jobs of the caller's tenant, newest first; the bodies of reservations where that is asked for.",
  })
  async jobs(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('states', () => [JobStateEnum], { nullable: true, description: 'Only those in one of these states.' })
    states: ExecutionState[] | null,
    @Arg('siteId', () => ID, { nullable: true, description: 'Only those at this site.' }) siteId: string | null,
    @Arg('includeReserved', () => Boolean, {
      defaultValue: false,
      description: 'Also the bodies of reservations and of the legs of co-allocations.',
    })
    includeReserved: boolean,
    @Arg('filter', () => JobFilterInput, { nullable: true, description: 'Only those that meet it, too.' })
    filter: JobFilterInput | null,
    @Ctx() context: ApiContext,
  ): Promise<Connection<Job>> {
    const { tenantId } = callerOf(context);
    const request = toPageRequest(page);
    const given = { ...(states && { states }), ...(siteId && { siteId: decodeId(siteId, 'Site', 'siteId') }) };
    const meant = [given, toConditions(filter, 'filter')];
    const rows = await listJobs(context.commands.database.db, { tenantId, includeReserved, meant }, request);
    return toConnection(rows, request, (row) => new Job(row));
  }

  @Query(() => Job, {
    nullable: true,
    description: 'The newest job of the caller that came with this idempotency key; null for none.',
  })
  async jobByKey(
    @Arg('key', () => String, { description: 'The idempotency key.' }) key: string,
    @Ctx() context: ApiContext,
  ): Promise<Job | null> {
    const { tenantId } = callerOf(context);
    const row = key.includes('\0') ? null : await findJobByKey(context.commands.database.db, tenantId, key);
    return row && new Job(row);
  }

  @FieldResolver(() => [LabelOfJob], { description: 'Labels by which it is found.' })
  labels(@Root() { row }: Job): LabelOfJob[] {
    return row.labels.map(labelOf);
  }

  @FieldResolver(() => JobGroup, { nullable: true, description: 'Of a task of an array: its group.' })
  async group(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<JobGroup | null> {
    const group = row.groupId === null ? null : await loaders.jobGroup.load(row.groupId);
    return group && new JobGroup(group);
  }

  @FieldResolver(() => Int, { nullable: true, description: 'Of a task of an array: its index.' })
  taskIndex(@Root() { row }: Job): number | null {
    return row.taskIndex;
  }

  @FieldResolver(() => String, { nullable: true, description: 'Idempotency key that it came with.' })
  idempotencyKey(@Root() { row }: Job): string | null {
    return row.idempotencyKey;
  }
}
