import { Field, InputType, Int } from 'type-graphql';
import { ProgramFields } from '../shared/program.input.ts';
import { ResourcesInput } from '../shared/resources.input.ts';
import { RESOURCES } from '../shared/resources.words.ts';

@InputType({ description: 'The job whose wait is asked for.' })
export class ForecastInput extends ProgramFields {
  @Field(() => Int, { description: 'Processors it asks for.' })
  processors!: number;

  @Field(() => ResourcesInput, { nullable: true, description: RESOURCES.all })
  resources?: ResourcesInput | null;

  @Field(() => Int, { description: 'Walltime it asks for.' })
  walltimeSeconds!: number;

  @Field(() => String, { nullable: true, description: 'Queue of the site; its default when absent.' })
  queue?: string | null;

  @Field(() => String, { nullable: true, description: 'User at the site, for predictors that tell users apart.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'Predictor to ask; the one that decides when absent.' })
  predictor?: string | null;
}
