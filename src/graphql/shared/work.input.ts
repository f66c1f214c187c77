import { Field, ID, InputType, Int } from 'type-graphql';
import type { WorkInput as Work } from '../../commands/input/work-input.ts';
import { decodeIds } from './global-id.ts';
import { IDEMPOTENCY_KEY } from './idempotent.input.ts';

/** What is to be run and how large it is: the part that jobs, reservations and legs have in common. */
@InputType()
export abstract class WorkFields {
  @Field(() => String, { defaultValue: 'job', description: 'A name for it, of at most 128 characters.' })
  name!: string;

  @Field(() => String, { description: 'Whole text of the script, with its own interpreter line.' })
  script!: string;

  @Field(() => [String], { defaultValue: [], description: 'Arguments of the script; no shell ever sees them.' })
  arguments!: string[];

  @Field(() => Int, { description: 'Processors it needs.' })
  processors!: number;

  @Field(() => Int, { description: 'Walltime it needs; it is killed after that.' })
  walltimeSeconds!: number;

  @Field(() => String, { nullable: true, description: "Queue; each site's default when absent." })
  queue?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Sites that may take it; every site when absent. Never empty.' })
  siteIds?: string[] | null;
}

/** The same as an input of its own, which may carry an idempotency key. */
@InputType()
export abstract class WorkInput extends WorkFields {
  @Field(() => String, { nullable: true, description: IDEMPOTENCY_KEY })
  idempotencyKey?: string | null;
}

/** What jobs that are promised say of their padding. */
export const MAX_PADDING =
  'Padding paid at most in the worst case. When absent the expected padding is at most 3 times the own work (processors times walltimeSeconds).';

/** The input in the words of the commands. `path` is where it sits in the caller's input. */
export function toWork(input: WorkFields, path: string): Work {
  const { name, script, arguments: args, processors, walltimeSeconds, queue = null, siteIds } = input;
  const ids = decodeIds(siteIds, 'Site', `${path}.siteIds`);
  return { name, script, arguments: args, processors, walltimeSeconds, queue, siteIds: ids };
}
