import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { ExecutionOutcome, ExecutionState } from '../../domain/execution.ts';
import { CallerError } from '../../domain/failures.ts';
import { type Label, LONGEST_LABEL_VALUE, MOST_LABELS } from '../../domain/label.ts';
import type { JobConditions } from '../../store/job-filter.ts';
import { JobOutcomeEnum, JobStateEnum } from '../shared/enums.ts';
import { decodeId } from '../shared/global-id.ts';
import { fromMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

export const LABELS = `Labels by which it is found, at most ${MOST_LABELS}, each name once.`;

@InputType({ description: 'A word by which a job is found.' })
export class LabelInput implements Label {
  @Field(() => String, { description: 'Letters, digits and ._/- with a letter or digit first, at most 63.' })
  name!: string;

  @Field(() => String, { description: `At most ${LONGEST_LABEL_VALUE} printable characters.` })
  value!: string;
}

@ObjectType('Label', { description: 'A word by which a job is found.' })
export class LabelOfJob implements Label {
  @Field(() => String, { description: 'What it is called.' })
  name!: string;

  @Field(() => String, { description: 'What it says.' })
  value!: string;
}

@InputType({ description: 'Which jobs are meant: those that meet every condition given.' })
export class JobFilterInput {
  @Field(() => String, { nullable: true, description: 'The whole name.' })
  name?: string | null;

  @Field(() => [LabelInput], { nullable: true, description: 'Every one of these labels.' })
  labels?: LabelInput[] | null;

  @Field(() => [JobStateEnum], { nullable: true, description: 'In one of these states.' })
  states?: ExecutionState[] | null;

  @Field(() => [JobOutcomeEnum], { nullable: true, description: 'Ended in one of these ways.' })
  outcomes?: ExecutionOutcome[] | null;

  @Field(() => ID, { nullable: true, description: 'Planned for, or at, this site.' })
  siteId?: string | null;

  @Field(() => ID, { nullable: true, description: 'A task of this group.' })
  groupId?: string | null;

  @Field(() => String, { nullable: true, description: 'Came with this idempotency key.' })
  idempotencyKey?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Asked for then or later.' })
  submittedAfter?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Asked for before.' })
  submittedBefore?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Ended then or later.' })
  endedAfter?: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'Ended before.' })
  endedBefore?: Date | null;
}

/**
 * The same in the words of the store. `path` is where it sits in the caller's input.
 * @throws CallerError NOT_FOUND for a malformed id, INVALID for a text that can be nobody's
 */
export function toConditions(filter: JobFilterInput | null | undefined, path: string): JobConditions {
  if (!filter) return {};
  const { name, labels, states, outcomes, siteId, groupId, idempotencyKey } = filter;
  for (const [field, text] of Object.entries({ name, idempotencyKey })) {
    if (text?.includes('\0')) throw new CallerError('INVALID', `${path}.${field}`, `${field} contains a NUL character`);
  }
  return {
    ...(name != null && { name }),
    ...(labels != null && { labels: labels.map((label) => ({ name: label.name, value: label.value })) }),
    ...(states != null && { states }),
    ...(outcomes != null && { outcomes }),
    ...(siteId != null && { siteId: decodeId(siteId, 'Site', `${path}.siteId`) }),
    ...(groupId != null && { groupId: decodeId(groupId, 'JobGroup', `${path}.groupId`) }),
    ...(idempotencyKey != null && { idempotencyKey }),
    ...(filter.submittedAfter != null && { submittedAfter: fromMoment(filter.submittedAfter) }),
    ...(filter.submittedBefore != null && { submittedBefore: fromMoment(filter.submittedBefore) }),
    ...(filter.endedAfter != null && { endedAfter: fromMoment(filter.endedAfter) }),
    ...(filter.endedBefore != null && { endedBefore: fromMoment(filter.endedBefore) }),
  };
}
