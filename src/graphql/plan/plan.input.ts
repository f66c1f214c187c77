import { Field, ID, InputType, Int } from 'type-graphql';
import { DateTime } from '../shared/scalars.ts';
import { WalltimeFields } from '../shared/walltime.input.ts';

@InputType({ description: 'A job whose plan is asked for without running it.' })
export class PlanInput extends WalltimeFields {
  @Field(() => Int, { description: 'Processors it needs.' })
  processors!: number;

  @Field(() => String, { nullable: true, description: "Queue; each site's default when absent." })
  queue?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Sites that may take it; every site when absent. Never empty.' })
  siteIds?: string[] | null;

  @Field(() => DateTime, { nullable: true, description: 'When it must have ended.' })
  deadlineAt?: Date | null;
}
