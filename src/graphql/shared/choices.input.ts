import { Field, Float, InputType, Int } from 'type-graphql';
import type { ChoicesInput } from '../../commands/input/plan-choices.ts';
import { CallerError } from '../../domain/failures.ts';
import { MOST_SIZES, type SpeedupModel } from '../../domain/job-sizes.ts';
import type { SizeSteps } from '../../plan/job/sizes.ts';
import { SizeStepsEnum, SpeedupModelEnum } from './enums.ts';

@InputType({
  description: `Sizes that a job may be run at beside \`processors\`, for which its walltime is stated. At most ${MOST_SIZES} in all.`,
})
export class SizesInput {
  @Field(() => [Int], { nullable: true, description: 'Numbers of processors.' })
  list?: number[] | null;

  @Field(() => Int, { nullable: true, description: 'Smallest of a range; goes with `to`.' })
  from?: number | null;

  @Field(() => Int, { nullable: true, description: 'Largest of a range; goes with `from`.' })
  to?: number | null;

  @Field(() => SizeStepsEnum, { defaultValue: 'POWERS_OF_TWO', description: 'Which sizes of the range are meant.' })
  steps!: SizeSteps;

  @Field(() => Boolean, {
    defaultValue: false,
    description: "At each site those of the caller's own jobs that completed there lately, too.",
  })
  fromHistory!: boolean;
}

@InputType({
  description:
    "How the runtime of a job depends on its processors. Used for sizes of which none of the caller's own jobs has completed at a site.",
})
export class SpeedupInput {
  @Field(() => SpeedupModelEnum, { description: 'The model.' })
  model!: SpeedupModel['kind'];

  @Field(() => Float, {
    nullable: true,
    description: 'Of AMDAHL: share of the work that never runs in parallel, 0 to 1.',
  })
  serialShare?: number | null;

  @Field(() => Float, { nullable: true, description: 'Of DOWNEY: the average parallelism A, at least 1.' })
  averageParallelism?: number | null;

  @Field(() => Float, { nullable: true, description: 'Of DOWNEY: the variance of the parallelism, from 0 on.' })
  sigma?: number | null;
}

/** What inputs say of the sizes among which a plan chooses. */
export interface ChoicesFields {
  sizes?: SizesInput | null;
  speedup?: SpeedupInput | null;
}

/** What inputs say of these fields. */
export const CHOICES = {
  sizes:
    'Sizes that it may be run at beside `processors`; that one alone when absent. The script finds the chosen one in GRIDCAST_PROCESSORS, and `{processors}` in an argument becomes it.',
  speedup: "How its runtime depends on its size; only the caller's own history tells when absent. Goes with sizes.",
} as const;

/**
 * The same in the words of the commands. `path` is where it sits in the caller's input.
 * @throws CallerError INVALID when a model lacks its parameters or has another's
 */
export function toChoicesInput({ sizes, speedup }: ChoicesFields, path: string): ChoicesInput {
  const offered = sizes && { ...sizes, list: sizes.list ?? [], from: sizes.from ?? null, to: sizes.to ?? null };
  return {
    ...(offered && { sizes: offered }),
    ...(speedup && { speedup: toSpeedup(speedup, `${path}.speedup`) }),
  };
}

function toSpeedup(input: SpeedupInput, path: string): SpeedupModel {
  const { model, serialShare, averageParallelism, sigma } = input;
  const given = (value: number | null | undefined, field: string) => {
    if (typeof value === 'number') return value;
    throw new CallerError('INVALID', `${path}.${field}`, `a speedup by ${model} needs ${field}; give it`);
  };
  const none = (value: number | null | undefined, field: string) => {
    if (typeof value !== 'number') return;
    throw new CallerError('INVALID', `${path}.${field}`, `${field} is no parameter of ${model}; leave it out`);
  };
  if (model === 'AMDAHL') {
    none(averageParallelism, 'averageParallelism');
    none(sigma, 'sigma');
    return { kind: model, serialShare: given(serialShare, 'serialShare') };
  }
  none(serialShare, 'serialShare');
  return {
    kind: model,
    averageParallelism: given(averageParallelism, 'averageParallelism'),
    sigma: given(sigma, 'sigma'),
  };
}
