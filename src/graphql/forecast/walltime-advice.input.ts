import { Field, Float, ID, InputType, Int } from 'type-graphql';
import { ProgramFields } from '../shared/program.input.ts';
import { ResourcesInput } from '../shared/resources.input.ts';
import { RESOURCES } from '../shared/resources.words.ts';

@InputType({ description: 'The job that wants to know which walltime would do.' })
export class WalltimeAdviceInput extends ProgramFields {
  @Field(() => Int, { description: 'Processors it asks for.' })
  processors!: number;

  @Field(() => ResourcesInput, { nullable: true, description: RESOURCES.all })
  resources?: ResourcesInput | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Walltime it would ask for otherwise: forecasts know it, and never more is advised. Absent where nobody knows.',
  })
  walltimeSeconds?: number | null;

  @Field(() => String, { nullable: true, description: "Queue; each site's default when absent." })
  queue?: string | null;

  @Field(() => String, { nullable: true, description: 'User at the site, for predictors that tell users apart.' })
  user?: string | null;

  @Field(() => [ID], { nullable: true, description: 'The sites; every site when absent. Never empty.' })
  siteIds?: string[] | null;

  @Field(() => [Float], {
    defaultValue: [0.01, 0.05, 0.1, 0.2],
    description: 'Probabilities of being killed, each from 0.005 to 0.5.',
  })
  risks!: number[];
}
