import { Ctx, Field, FieldResolver, Float, ObjectType, Resolver, Root } from 'type-graphql';
import type { DependencyCondition } from '../../domain/dependency.ts';
import { invariant } from '../../domain/failures.ts';
import { gapSeconds, isMet } from '../../plan/job/predecessors.ts';
import { workBeganAt } from '../../plan/reservation/life.ts';
import type { DependencyRow, GroupPredecessor } from '../../store/dependencies.ts';
import type { ApiContext } from '../context.ts';
import { JobGroup } from '../job-group/job-group.type.ts';
import { DependencyConditionEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { Job } from './job.type.ts';

@ObjectType({ description: 'A job that another one comes after.' })
export class Dependency {
  constructor(private readonly row: DependencyRow) {}

  @Field(() => Job, { description: 'It.' })
  get job(): Job {
    return new Job(this.row.predecessor);
  }

  @Field(() => DependencyConditionEnum, { description: 'What must have become of it.' })
  get when(): DependencyCondition {
    return this.row.condition;
  }

  @Field(() => Boolean, { description: 'Whether that has become of it.' })
  get met(): boolean {
    return isMet({ ...this.row.predecessor, condition: this.row.condition });
  }
}

@ObjectType({ description: 'A group that a job comes after.' })
export class GroupDependency {
  constructor(
    private readonly row: GroupPredecessor,
    private readonly of: JobGroup,
  ) {}

  @Field(() => JobGroup, { description: 'It.' })
  get group(): JobGroup {
    return this.of;
  }

  @Field(() => DependencyConditionEnum, { description: 'What must have become of each of its tasks.' })
  get when(): DependencyCondition {
    return this.row.condition;
  }

  @Field(() => Boolean, { description: 'Whether that has become of them.' })
  get met(): boolean {
    return isMet(this.row);
  }
}

/** Which jobs come before and after a job. */
@Resolver(() => Job)
export class JobOrderResolver {
  @FieldResolver(() => [Dependency], { complexity: 5, description: 'The jobs that it comes after.' })
  async after(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<Dependency[]> {
    return (await loaders.predecessorsOf.load(row.id)).map((dependency) => new Dependency(dependency));
  }

  @FieldResolver(() => [GroupDependency], { complexity: 5, description: 'The groups that it comes after.' })
  async afterGroups(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<GroupDependency[]> {
    const found = await loaders.groupsBefore.load(row.id);
    return Promise.all(
      found.map(async (one) => {
        const group = await loaders.jobGroup.load(one.groupId);
        invariant(group, `job ${row.id} comes after an unknown group`);
        return new GroupDependency(one, new JobGroup(group));
      }),
    );
  }

  @FieldResolver(() => [Job], {
    complexity: 20,
    description: 'The jobs that come after it, oldest first, at most 100.',
  })
  async successors(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<Job[]> {
    const found = await loaders.successorsOf.load(row.id);
    const rows = await Promise.all(found.map(({ executionId }) => loaders.execution.load(executionId)));
    return rows.flatMap((successor) => (successor === null ? [] : [new Job(successor)]));
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it is to be submitted ahead of the end of the job that it comes after.',
  })
  startsAhead(@Root() { row }: Job): boolean {
    return row.startsAhead;
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description: 'Of a job that was submitted ahead: when it was told to begin its own work; null before.',
  })
  gateOpenedAt(@Root() { row }: Job): Date | null {
    return toMoment(row.gateOpenedAt);
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description:
      'Of a job that was submitted ahead: the gap that was expected then, on average; null of any other. gapSeconds tells what it came to.',
  })
  expectedGapSeconds(@Root() { row }: Job): number | null {
    return row.expectedGapSeconds;
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description:
      'How long after the end of the last of the jobs that it comes after its own work began; null until it has, and where it comes after none.',
  })
  async gapSeconds(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<number | null> {
    const predecessors = await loaders.predecessorsOf.load(row.id);
    return gapSeconds(
      workBeganAt(row),
      predecessors.map(({ predecessor }) => predecessor),
    );
  }
}
