import { Field, InputType, Int } from 'type-graphql';
import type { SubmitJobInput as SubmitJobCommand } from '../../commands/submit-job.ts';
import { MOST_PREDECESSORS } from '../../domain/dependency.ts';
import type { Label } from '../../domain/label.ts';
import { CHOICES, SizesInput, SpeedupInput, toChoicesInput } from '../shared/choices.input.ts';
import { FINISH_BY, FinishByInput, toDeadlines } from '../shared/finish-by.input.ts';
import { toTerms } from '../shared/plan-terms.input.ts';
import { DateTime } from '../shared/scalars.ts';
import { AVOID_IO_BURSTS, MAX_DELAY, toDelay, toWork } from '../shared/work.input.ts';
import { DependencyInput, toOrder } from './dependency.input.ts';
import { LABELS, LabelInput, toRetry } from './retry.input.ts';
import { toStaging } from './staging.input.ts';
import { TaskInput } from './task.input.ts';

@InputType({ description: 'A job to be run wherever that is best: unless told, where it is predicted to end first.' })
export class SubmitJobInput extends TaskInput {
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Only a site where it is predicted to have ended by then, its whole walltime counted, is chosen; nothing is promised. As soon as possible when absent.',
  })
  deadlineAt?: Date | null;

  @Field(() => FinishByInput, { nullable: true, description: FINISH_BY })
  finishBy?: FinishByInput | null;

  @Field(() => [DependencyInput], {
    nullable: true,
    description: `Jobs of its tenant that it comes after, at any site, at most ${MOST_PREDECESSORS}; it waits, HELD, until each has ended as it must, and is planned then.`,
  })
  after?: DependencyInput[] | null;

  @Field(() => SizesInput, { nullable: true, description: CHOICES.sizes })
  sizes?: SizesInput | null;

  @Field(() => SpeedupInput, { nullable: true, description: CHOICES.speedup })
  speedup?: SpeedupInput | null;

  @Field(() => Int, { nullable: true, description: MAX_DELAY })
  maxDelaySeconds?: number | null;

  @Field(() => Int, { nullable: true, description: AVOID_IO_BURSTS })
  avoidIoBurstsSeconds?: number | null;

  @Field(() => DependencyInput, {
    nullable: true,
    description:
      'A job of its tenant, at any site, to start right after: it is submitted ahead of that end, as its wait is forecast, with its walltime padded, and does not begin its work before that end. That is so on Slurm by commands or ssh and on simulated sites, which can tell a job to begin; on slurmrestd, Grid Engine, OAR and PBS it is submitted after the end, as with `after`.',
  })
  startAfter?: DependencyInput | null;

  @Field(() => [LabelInput], { nullable: true, description: LABELS })
  labels?: LabelInput[] | null;
}

/** The input in the words of the command. */
export function toSubmitCommand(input: SubmitJobInput): SubmitJobCommand {
  return {
    ...toWork(input, 'input'),
    ...toTerms(input),
    ...toChoicesInput(input, 'input'),
    ...toOrder(input),
    ...toDeadlines(input),
    ...toDelay(input),
    ...toLabels(input),
    ...toRetry(input),
    ...toStaging(input),
    idempotencyKey: input.idempotencyKey ?? null,
  };
}

/** The labels of a job in the words of the commands; nothing to say of none. */
export function toLabels({ labels }: { labels?: readonly LabelInput[] | null }): { labels?: Label[] } {
  return labels?.length ? { labels: labels.map(({ name, value }) => ({ name, value })) } : {};
}
