import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { ExecutionRow } from '../../store/executions.ts';
import { MissPolicyEnum } from '../shared/enums.ts';
import { toMoment } from '../shared/moments.ts';
import { DateTime } from '../shared/scalars.ts';

@ObjectType({ description: 'The deadline of a job and, with finishBy, what was promised of it.' })
export class JobDeadline {
  constructor(private readonly row: ExecutionRow & { readonly deadlineAt: number }) {}

  @Field(() => DateTime, { description: 'When it is to have finished.' })
  get at(): Date {
    return toMoment(this.row.deadlineAt);
  }

  @Field(() => Float, { nullable: true, description: 'As it was asked for; null for a deadline that is not promised.' })
  get probability(): number | null {
    return this.row.finishProbability;
  }

  @Field(() => Float, { nullable: true, description: 'As it was promised, at least as it was asked for.' })
  get promisedProbability(): number | null {
    return this.row.promisedFinishProbability;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'As it looked at the last look, every few minutes until its end.',
  })
  get currentProbability(): number | null {
    return this.row.currentFinishProbability;
  }

  @Field(() => MissPolicyEnum, { nullable: true, description: 'What becomes of it when it has not finished by then.' })
  get ifMissed(): ExecutionRow['ifDeadlineMissed'] {
    return this.row.ifDeadlineMissed;
  }

  @Field(() => Int, { description: 'How often it was planned anew because another site promised markedly more.' })
  get moves(): number {
    return this.row.finishMoves;
  }

  @Field(() => DateTime, { nullable: true, description: 'The deadline, once it has passed before the end.' })
  get missedAt(): Date | null {
    return toMoment(this.row.deadlineMissedAt);
  }

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the promise was kept: the job completed by then. False for one that its walltime killed before; null until that is known, and where it was never put to the test: cancelled by its caller before, or failed by itself.',
  })
  get kept(): boolean | null {
    const { finishKept, promisedFinishProbability, deadlineMissedAt, state } = this.row;
    if (finishKept !== null || promisedFinishProbability === null) return finishKept;
    return state !== 'ENDED' && deadlineMissedAt !== null ? false : null;
  }
}

/** The deadline of a job; null where it has none. */
export function deadlineOf(row: ExecutionRow): JobDeadline | null {
  const { deadlineAt } = row;
  return deadlineAt === null ? null : new JobDeadline({ ...row, deadlineAt });
}
