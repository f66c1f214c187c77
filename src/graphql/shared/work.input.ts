import { Field, InputType, Int } from 'type-graphql';
import { USUAL_NAME, type WorkInput as Work } from '../../commands/input/work-input.ts';
import type { AutoWalltime } from '../../domain/plan.ts';
import { DirectiveUseEnum } from './directive-enums.ts';
import { DIRECTIVES, type DirectiveUse, statedProcessors, withDirectives } from './directives.input.ts';
import { IDEMPOTENCY_KEY } from './idempotent.input.ts';
import { PlacedFields, toPlacement } from './placed.input.ts';
import { ResourcesInput, toResources } from './resources.input.ts';
import { RESOURCES } from './resources.words.ts';
import { toStatedWalltime, toWalltime } from './walltime.input.ts';

/** What is to be run and how large it is: the part that jobs, reservations and legs have in common. */
@InputType()
export abstract class WorkFields extends PlacedFields {
  @Field(() => String, { defaultValue: USUAL_NAME, description: 'A name for it, of at most 128 characters.' })
  name!: string;

  @Field(() => String, { description: 'Whole text of the script, with its own interpreter line.' })
  script!: string;

  @Field(() => [String], { defaultValue: [], description: 'Arguments of the script; no shell ever sees them.' })
  arguments!: string[];

  @Field(() => Int, {
    nullable: true,
    description: 'Processors it needs. They may be absent where directives are honoured that tell them.',
  })
  processors?: number | null;

  @Field(() => ResourcesInput, { nullable: true, description: RESOURCES.all })
  resources?: ResourcesInput | null;

  @Field(() => String, { nullable: true, description: "Queue; each site's default when absent." })
  queue?: string | null;

  @Field(() => DirectiveUseEnum, { defaultValue: 'WARN', description: DIRECTIVES })
  directives!: DirectiveUse;
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

/** What is said of holding jobs back. */
export const MAX_DELAY =
  'For how long it may be held back where its response is predicted at least 30 % lower for that, or behind such a job; not at all when absent or 0.';

/** What is said of holding jobs back for their IO. */
export const AVOID_IO_BURSTS =
  "For how long it may be held back, a day at most, so that it does not start into a predicted burst of its site's IO, where it is predicted to read or write much itself; not at all when absent or 0.";

/** For how long a job may be held back; nothing to say of one that may not. */
export function toDelay({
  maxDelaySeconds = null,
  avoidIoBurstsSeconds = null,
}: {
  maxDelaySeconds?: number | null;
  avoidIoBurstsSeconds?: number | null;
}): { maxDelaySeconds?: number; avoidIoBurstsSeconds?: number } {
  return {
    ...(maxDelaySeconds === null ? {} : { maxDelaySeconds }),
    ...(avoidIoBurstsSeconds === null ? {} : { avoidIoBurstsSeconds }),
  };
}

/** Work that is promised in the words of the commands. `path` is where it sits in the caller's input. */
export function toPromisedWork(fields: WorkFields, path: string): Work {
  const input = withDirectives(fields, path);
  return { ...toUntimedWork(input, path), walltimeSeconds: toStatedWalltime(input, path) };
}

/** Work whose walltime may be left to us in the words of the commands. */
export function toWork(fields: WorkFields, path: string): Work & { readonly auto?: AutoWalltime } {
  const input = withDirectives(fields, path);
  return { ...toUntimedWork(input, path), ...toWalltime(input, path) };
}

function toUntimedWork(input: WorkFields, path: string): Omit<Work, 'walltimeSeconds'> {
  const { name, script, arguments: args, queue = null } = input;
  const processors = statedProcessors(input, path);
  const what = { name, script, arguments: args, processors, ...toResources(input.resources) };
  return { ...what, queue, ...toPlacement(input, path) };
}
