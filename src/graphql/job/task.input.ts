import { Field, Float, InputType } from 'type-graphql';
import type { Objective } from '../../domain/objective.ts';
import type { FolderEnd } from '../../domain/staging.ts';
import { ObjectiveEnum } from '../shared/plan-enums.ts';
import { MAX_CHARGE, MAX_RISK, OBJECTIVE } from '../shared/plan-terms.input.ts';
import { WorkInput } from '../shared/work.input.ts';
import { RETRY, RetryInput } from './retry.input.ts';
import { FolderEndEnum, STAGING, StageInInput, StageOutInput } from './staging.input.ts';

/** What jobs and tasks of arrays have in common, and promised jobs have not. */
@InputType()
export abstract class TaskInput extends WorkInput {
  @Field(() => ObjectiveEnum, { defaultValue: 'EARLIEST_FINISH', description: OBJECTIVE })
  objective!: Objective;

  @Field(() => Float, { nullable: true, description: MAX_CHARGE })
  maxChargeProcessorSeconds?: number | null;

  @Field(() => Float, { nullable: true, description: MAX_RISK })
  maxRisk?: number | null;

  @Field(() => RetryInput, { nullable: true, description: RETRY })
  retry?: RetryInput | null;

  @Field(() => [StageInInput], { nullable: true, description: STAGING.in })
  stageIn?: StageInInput[] | null;

  @Field(() => [StageOutInput], { nullable: true, description: STAGING.out })
  stageOut?: StageOutInput[] | null;

  @Field(() => FolderEndEnum, { defaultValue: 'REMOVE', description: STAGING.folder })
  keepWorkFolder!: FolderEnd;
}
