import { Ctx, Field, FieldResolver, Float, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { ExecutionOutcome } from '../../domain/execution.ts';
import { invariant } from '../../domain/failures.ts';
import type { TryRow } from '../../store/tries.ts';
import type { ApiContext } from '../context.ts';
import { JobOutcomeEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';
import { Site } from '../site/site.type.ts';
import { Job } from './job.type.ts';

@ObjectType({ description: 'One run of a job that ended and was followed by another, by its retry policy.' })
export class JobAttempt {
  constructor(readonly row: TryRow) {}

  @Field(() => Int, { description: 'Its number, from 1.' })
  get number(): number {
    return this.row.number;
  }

  @Field(() => ID, { description: "The key in the native job's name or comment; at most one native job bears it." })
  get key(): string {
    return this.row.key;
  }

  @Field(() => JobOutcomeEnum, { description: 'How it ended.' })
  get outcome(): ExecutionOutcome {
    return this.row.outcome;
  }

  @Field(() => String, { description: 'What the next one does, and why.' })
  get reason(): string {
    return this.row.reason;
  }

  @Field(() => Int, {
    nullable: true,
    description:
      'Exit status of its script, 128 and the number of a signal that ended it. Null where the site tells none, and of a job that was cancelled, killed by its walltime or taken down.',
  })
  get exitCode(): number | null {
    return this.row.exitCode;
  }

  @Field(() => Int, { description: 'Walltime that it had.' })
  get walltimeSeconds(): number {
    return this.row.walltimeSeconds;
  }

  @Field(() => DateTime, { nullable: true, description: 'When it began to hold processors.' })
  get startedAt(): Date | null {
    return toMoment(this.row.startedAt);
  }

  @Field(() => DateTime, { description: 'When it ended.' })
  get endedAt(): Date {
    return toMoment(this.row.endedAt);
  }

  @Field(() => Float, { description: 'For which it held processors; charged as LOST at the end of the job.' })
  get processorSeconds(): number {
    return this.row.processorSeconds;
  }
}

/** How often jobs were run. */
@Resolver(() => Job)
export class JobAttemptsResolver {
  @FieldResolver(() => [JobAttempt], {
    complexity: 5,
    description:
      'Its runs before the present one, by its retry policy, first to last; how the last ended is its outcome.',
  })
  async attempts(@Root() { row }: Job, @Ctx() { loaders }: ApiContext): Promise<JobAttempt[]> {
    return (await loaders.triesOf.load(row.id)).map((one) => new JobAttempt(one));
  }
}

@Resolver(() => JobAttempt)
export class JobAttemptResolver {
  @FieldResolver(() => Site, { description: 'Where it ran.' })
  async site(@Root() { row }: JobAttempt, @Ctx() { loaders }: ApiContext): Promise<Site> {
    const site = await loaders.site.load(row.siteId);
    invariant(site, `try ${row.key} names an unknown site`);
    return new Site(site);
  }
}
