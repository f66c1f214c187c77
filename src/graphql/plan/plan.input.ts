import { Field, Float, InputType, Int } from 'type-graphql';
import type { PlanInput as PlannedJob } from '../../commands/dry-run-plan.ts';
import type { Objective } from '../../domain/objective.ts';
import { CHOICES, SizesInput, SpeedupInput, toChoicesInput } from '../shared/choices.input.ts';
import { DirectiveUseEnum } from '../shared/directive-enums.ts';
import { DIRECTIVES, type DirectiveUse, statedProcessors, withDirectives } from '../shared/directives.input.ts';
import { FINISH_BY, FinishByInput, toDeadlines } from '../shared/finish-by.input.ts';
import { PlacedFields, toPlacement } from '../shared/placed.input.ts';
import { ObjectiveEnum } from '../shared/plan-enums.ts';
import { MAX_CHARGE, MAX_RISK, OBJECTIVE, toTerms } from '../shared/plan-terms.input.ts';
import { PROGRAM, toProgramInput } from '../shared/program.input.ts';
import { ResourcesInput, toResources } from '../shared/resources.input.ts';
import { RESOURCES } from '../shared/resources.words.ts';
import { DateTime } from '../shared/scalars.ts';
import { toWalltime } from '../shared/walltime.input.ts';
import { AVOID_IO_BURSTS, MAX_DELAY, toDelay } from '../shared/work.input.ts';

@InputType({ description: 'A job whose plan is asked for without running it.' })
export class PlanInput extends PlacedFields {
  @Field(() => Int, {
    nullable: true,
    description: 'Processors it needs. They may be absent where directives are honoured that tell them.',
  })
  processors?: number | null;

  @Field(() => ResourcesInput, { nullable: true, description: RESOURCES.all })
  resources?: ResourcesInput | null;

  @Field(() => String, { nullable: true, description: 'Queue at every site; the best one of each when absent.' })
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

  @Field(() => SizesInput, { nullable: true, description: CHOICES.sizes })
  sizes?: SizesInput | null;

  @Field(() => SpeedupInput, { nullable: true, description: CHOICES.speedup })
  speedup?: SpeedupInput | null;

  @Field(() => Int, { nullable: true, description: MAX_DELAY })
  maxDelaySeconds?: number | null;

  @Field(() => String, { nullable: true, description: PROGRAM.name })
  name?: string | null;

  @Field(() => String, { nullable: true, description: PROGRAM.script })
  script?: string | null;

  @Field(() => [String], { nullable: true, description: PROGRAM.arguments })
  arguments?: string[] | null;

  @Field(() => Int, { nullable: true, description: AVOID_IO_BURSTS })
  avoidIoBurstsSeconds?: number | null;

  @Field(() => DirectiveUseEnum, { defaultValue: 'WARN', description: DIRECTIVES })
  directives!: DirectiveUse;
}

/** The same in the words of the command. */
export function toPlanned(fields: PlanInput): PlannedJob {
  const input = withDirectives(fields, 'input');
  const { queue = null } = input;
  const processors = statedProcessors(input, 'input');
  return {
    processors,
    ...toResources(input.resources),
    ...toWalltime(input, 'input'),
    ...toChoicesInput(input, 'input'),
    queue,
    ...toPlacement(input, 'input'),
    ...toTerms(input),
    ...toDeadlines(input),
    ...toDelay(input),
    ...toProgramInput(input),
  };
}
