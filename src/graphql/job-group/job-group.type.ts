import { Field, Int, ObjectType } from 'type-graphql';
import type { ExecutionOutcome, ExecutionState } from '../../domain/execution.ts';
import type { JobGroupRow, TaskTally } from '../../store/job-groups.ts';
import { connectionType } from '../shared/connection.ts';
import { JobOutcomeEnum, JobStateEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { Node } from '../shared/node.type.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'How many tasks of a group are alike.' })
export class TaskCount {
  constructor(private readonly tally: TaskTally) {}

  @Field(() => JobStateEnum, { description: 'Where they are in their lives.' })
  get state(): ExecutionState {
    return this.tally.state;
  }

  @Field(() => JobOutcomeEnum, { nullable: true, description: 'How they ended; null until then.' })
  get outcome(): ExecutionOutcome | null {
    return this.tally.outcome;
  }

  @Field(() => Int, { description: 'How many there are.' })
  get count(): number {
    return this.tally.count;
  }
}

@ObjectType({ implements: Node, description: 'The tasks of one array together.' })
export class JobGroup extends Node {
  readonly nodeType = 'JobGroup';

  constructor(readonly row: JobGroupRow) {
    super(row.id);
  }

  @Field(() => String, { description: "The caller's name for it." })
  get name(): string {
    return this.row.name;
  }

  @Field(() => Int, { description: 'How many tasks it has.' })
  get size(): number {
    return this.row.size;
  }

  @Field(() => Int, {
    nullable: true,
    description: 'How many of them may be at sites at once; null for as many as these take.',
  })
  get limit(): number | null {
    return this.row.mostAtOnce;
  }

  @Field(() => String, { nullable: true, description: 'Why tasks wait for a site; null when none does.' })
  get reason(): string | null {
    return this.row.reason;
  }

  @Field(() => String, { nullable: true, description: 'Idempotency key that it came with.' })
  get idempotencyKey(): string | null {
    return this.row.idempotencyKey;
  }

  @Field(() => DateTime, { description: 'When the request was written down.' })
  get createdAt(): Date {
    return toMoment(this.row.createdAt);
  }

  @Field(() => DateTime, { nullable: true, description: 'When its last task had ended and been charged.' })
  get endedAt(): Date | null {
    return toMoment(this.row.endedAt);
  }
}

export const JobGroupConnection = connectionType('JobGroup', JobGroup);
