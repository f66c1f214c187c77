import { Arg, Args, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import type { ExecutionState } from '../../domain/execution.ts';
import { CallerError } from '../../domain/failures.ts';
import { labelOf } from '../../domain/label.ts';
import { countCharacters } from '../../domain/text.ts';
import { findJobByKey, listJobs, MOST_FOUND, MOST_SEARCHED } from '../../store/jobs.ts';
import { type ApiContext, callerOf } from '../context.ts';
import { JobGroup } from '../job-group/job-group.type.ts';
import { type Connection, PageArgs, pageComplexity, toConnection, toPageRequest } from '../shared/connection.ts';
import { JobStateEnum } from '../shared/enums.ts';
import { decodeId } from '../shared/global-id.ts';
import { Job, JobConnection } from './job.type.ts';
import { JobFilterInput, LabelOfJob, toConditions } from './job-filter.input.ts';

const LONGEST_TEXT = 200;
/** What looking for a text adds to a page: every row is looked at. */
const TEXT_COST = 200;

function jobsCost(asked: { args: { text?: string | null }; childComplexity: number }): number {
  return pageComplexity(asked) + (asked.args.text == null ? 0 : TEXT_COST);
}

/** @throws CallerError INVALID where it is a text that no job can hold */
function assertText(text: string | null): void {
  if (text == null) return;
  const characters = countCharacters(text);
  const message = `text must have 1 to ${LONGEST_TEXT} characters, got ${characters}; leave it out for any`;
  if (characters === 0 || characters > LONGEST_TEXT) throw new CallerError('INVALID', 'text', message);
  if (text.includes('\0')) throw new CallerError('INVALID', 'text', 'text contains a NUL character; leave that out');
}

/** By what jobs are found. */
@Resolver(() => Job)
export class JobLookupResolver {
  @Query(() => JobConnection, {
    complexity: jobsCost,
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
    @Arg('text', () => String, {
      nullable: true,
      description: `Only those whose name, idempotency key or a label name=value holds this, in upper or lower case: of the newest ${MOST_SEARCHED} jobs the newest ${MOST_FOUND} that do. At most ${LONGEST_TEXT} characters.`,
    })
    text: string | null,
    @Ctx() context: ApiContext,
  ): Promise<Connection<Job>> {
    const { tenantId } = callerOf(context);
    assertText(text);
    const request = toPageRequest(page);
    const given = { ...(states && { states }), ...(siteId != null && { siteId: decodeId(siteId, 'Site', 'siteId') }) };
    const meant = [given, toConditions(filter, 'filter')];
    const rows = await listJobs(context.commands.database.db, { tenantId, includeReserved, meant, text }, request);
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
