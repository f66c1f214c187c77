import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { SubmitArrayInput as Command } from '../../commands/submit-array.ts';
import { WarnedPayload } from '../directive/warned.payload.ts';
import { toLabels } from '../job/job.input.ts';
import { LABELS, LabelInput } from '../job/job-filter.input.ts';
import { toRetry } from '../job/retry.input.ts';
import { toStaging } from '../job/staging.input.ts';
import { TaskInput } from '../job/task.input.ts';
import { fromMoment } from '../shared/moments.ts';
import { toTerms } from '../shared/plan-terms.input.ts';
import { DateTime } from '../shared/scalars.ts';
import { toWork } from '../shared/work.input.ts';
import { JobGroup } from './job-group.type.ts';

@InputType({
  description:
    'Many jobs that differ in nothing but an index: in the environment of each as GRIDCAST_TASK_INDEX, and wherever {index} stands in its arguments and in the paths and addresses of its files.',
})
export class SubmitArrayInput extends TaskInput {
  @Field(() => Int, { description: 'How many tasks, at most 10000.' })
  tasks!: number;

  @Field(() => Int, { defaultValue: 0, description: 'Index of the first.' })
  firstIndex!: number;

  @Field(() => Int, { defaultValue: 1, description: 'From one index to the next.' })
  step!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'How many of them may be at sites at once; as many as these take when absent.',
  })
  limit?: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Only sites where a task is predicted to have ended by then, its whole walltime counted, are chosen.',
  })
  deadlineAt?: Date | null;

  @Field(() => [LabelInput], { nullable: true, description: `${LABELS} Every task bears them.` })
  labels?: LabelInput[] | null;
}

@ObjectType({ description: 'Answer of submitArray.' })
export class SubmitArrayPayload extends WarnedPayload {
  @Field(() => JobGroup, { nullable: true, description: 'Its group; null when nothing was done.' })
  group?: JobGroup | null;
}

/** The array in the words of the commands. */
export function toArray(input: SubmitArrayInput): Command {
  const { tasks, firstIndex, step, limit = null, idempotencyKey = null } = input;
  const what = {
    ...toWork(input, 'input'),
    ...toTerms(input),
    ...toLabels(input),
    ...toRetry(input),
    ...toStaging(input),
  };
  return {
    ...what,
    tasks,
    firstIndex,
    step,
    limit,
    deadlineAt: fromMoment(input.deadlineAt),
    idempotencyKey,
  };
}
