import { Field, Float, InputType, Int } from 'type-graphql';
import type { Objective } from '../../domain/objective.ts';
import { ObjectiveEnum } from '../shared/enums.ts';
import { FINISH_BY, FinishByInput } from '../shared/finish-by.input.ts';
import { PlacedFields } from '../shared/placed.input.ts';
import { MAX_CHARGE, MAX_RISK, OBJECTIVE } from '../shared/plan-terms.input.ts';
import { DateTime } from '../shared/scalars.ts';

@InputType({ description: 'A job whose plan is asked for without running it.' })
export class PlanInput extends PlacedFields {
  @Field(() => Int, { description: 'Processors it needs.' })
  processors!: number;

  @Field(() => String, { nullable: true, description: "Queue; each site's default when absent." })
  queue?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When it must have ended.' })
  deadlineAt?: Date | null;

  @Field(() => FinishByInput, { nullable: true, description: FINISH_BY })
  finishBy?: FinishByInput | null;

  @Field(() => ObjectiveEnum, { defaultValue: 'EARLIEST_FINISH', description: OBJECTIVE })
  objective!: Objective;

  @Field(() => Float, { nullable: true, description: MAX_CHARGE })
  maxChargeProcessorSeconds?: number | null;

  @Field(() => Float, { nullable: true, description: MAX_RISK })
  maxRisk?: number | null;
}
