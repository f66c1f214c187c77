import { Field, InputType, Int } from 'type-graphql';
import type { JobResources, LicenceRequest } from '../../domain/resources.ts';
import { RESOURCES } from './resources.words.ts';

@InputType({ description: 'A licence of a site that a job needs.' })
export class LicenceInput implements LicenceRequest {
  @Field(() => String, { description: RESOURCES.licenceName })
  name!: string;

  @Field(() => Int, { defaultValue: 1, description: RESOURCES.licenceCount })
  count!: number;
}

@InputType({
  description:
    'What a job needs beside processors and walltime. A site that cannot honour what is asked for is not chosen. Without any of it a job is one task on as few nodes as hold its processors.',
})
export class ResourcesInput {
  @Field(() => Int, { nullable: true, description: RESOURCES.nodes })
  nodes?: number | null;

  @Field(() => Int, { nullable: true, description: RESOURCES.tasks })
  tasks?: number | null;

  @Field(() => Int, { nullable: true, description: RESOURCES.tasksPerNode })
  tasksPerNode?: number | null;

  @Field(() => Int, { nullable: true, description: RESOURCES.processorsPerTask })
  processorsPerTask?: number | null;

  @Field(() => Int, { nullable: true, description: `${RESOURCES.memoryPerNode} Goes without the other kind.` })
  memoryPerNodeMebibytes?: number | null;

  @Field(() => Int, { nullable: true, description: `${RESOURCES.memoryPerProcessor} Goes without the other kind.` })
  memoryPerProcessorMebibytes?: number | null;

  @Field(() => Int, { nullable: true, description: RESOURCES.gpus })
  gpus?: number | null;

  @Field(() => String, {
    nullable: true,
    description: `${RESOURCES.gpuKind} Goes with \`gpus\`; any kind when absent.`,
  })
  gpuKind?: string | null;

  @Field(() => [String], { nullable: true, description: RESOURCES.constraints })
  constraints?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: RESOURCES.exclusive })
  exclusive?: boolean | null;

  @Field(() => [LicenceInput], { nullable: true, description: RESOURCES.licences })
  licences?: LicenceInput[] | null;

  @Field(() => Int, { nullable: true, description: RESOURCES.tmpPerNode })
  tmpPerNodeMebibytes?: number | null;
}

/** The same in the words of the commands, without what is not asked for; nothing where nothing is. */
export function toResources(input: ResourcesInput | null | undefined): { readonly resources?: JobResources } {
  const licences = input?.licences?.map(({ name, count }) => ({ name, count }));
  const asked = Object.entries({ ...input, licences }).filter(([, value]) => isAsked(value));
  return asked.length === 0 ? {} : { resources: Object.fromEntries(asked) };
}

function isAsked(value: unknown): boolean {
  if (value === null || value === undefined || value === false) return false;
  return !Array.isArray(value) || value.length > 0;
}
