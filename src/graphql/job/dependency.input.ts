import { Field, ID, InputType } from 'type-graphql';
import type { DependencyCondition } from '../../domain/dependency.ts';
import { CallerError } from '../../domain/failures.ts';
import type { NewDependency, NewGroupDependency } from '../../store/dependencies.ts';
import { DependencyConditionEnum } from '../shared/enums.ts';
import { decodeId } from '../shared/global-id.ts';

@InputType({ description: 'A job, or a group, that another job comes after.' })
export class DependencyInput {
  @Field(() => ID, { nullable: true, description: 'Global id of it; this or groupId.' })
  jobId?: string | null;

  @Field(() => ID, { nullable: true, description: 'Global id of a group, after whose last task it comes.' })
  groupId?: string | null;

  @Field(() => DependencyConditionEnum, { defaultValue: 'ANY_END', description: 'What must have become of it.' })
  when!: DependencyCondition;
}

/** What a job comes after in the words of the commands; nothing of what is absent. */
export function toOrder({
  after,
  startAfter,
}: {
  readonly after?: readonly DependencyInput[] | null;
  readonly startAfter?: DependencyInput | null;
}): {
  after?: NewDependency[];
  afterGroups?: NewGroupDependency[];
  startAfter?: NewDependency;
} {
  const placed = (after ?? []).map((one, index) => ({ one, field: `input.after[${index}]` }));
  const others = placed.filter(({ one }) => one.groupId == null).map(({ one, field }) => toDependency(one, field));
  const groups = placed.filter(({ one }) => one.groupId != null).map(({ one, field }) => toGroup(one, field));
  return {
    ...(others.length > 0 && { after: others }),
    ...(groups.length > 0 && { afterGroups: groups }),
    ...(startAfter && { startAfter: toDependency(startAfter, 'input.startAfter') }),
  };
}

function toDependency({ jobId, when: condition }: DependencyInput, field: string): NewDependency {
  if (jobId == null) throw new CallerError('INVALID', `${field}.jobId`, 'it names nothing; give the jobId of a job');
  return { predecessorId: decodeId(jobId, 'Job', `${field}.jobId`), condition };
}

function toGroup({ jobId, groupId, when: condition }: DependencyInput, field: string): NewGroupDependency {
  if (jobId == null) return { groupId: decodeId(groupId ?? '', 'JobGroup', `${field}.groupId`), condition };
  throw new CallerError('INVALID', field, 'it names a job and a group; give each an entry of its own');
}
