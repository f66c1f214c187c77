import { Field, Int, ObjectType } from 'type-graphql';
import type { JobResources as Asked, LicenceRequest } from '../../domain/resources.ts';
import { RESOURCES } from './resources.words.ts';

@ObjectType({ description: 'A licence of a site, and how many of it.' })
export class Licence {
  constructor(private readonly licence: LicenceRequest) {}

  @Field(() => String, { description: RESOURCES.licenceName })
  get name(): string {
    return this.licence.name;
  }

  @Field(() => Int, { description: RESOURCES.licenceCount })
  get count(): number {
    return this.licence.count;
  }
}

@ObjectType({ description: 'What a job asks for beside processors and walltime; null is left to its site.' })
export class JobResources {
  constructor(private readonly asked: Asked) {}

  @Field(() => Int, { nullable: true, description: RESOURCES.nodes })
  get nodes(): number | null {
    return this.asked.nodes ?? null;
  }

  @Field(() => Int, { nullable: true, description: RESOURCES.tasks })
  get tasks(): number | null {
    return this.asked.tasks ?? null;
  }

  @Field(() => Int, { nullable: true, description: RESOURCES.tasksPerNode })
  get tasksPerNode(): number | null {
    return this.asked.tasksPerNode ?? null;
  }

  @Field(() => Int, { nullable: true, description: RESOURCES.processorsPerTask })
  get processorsPerTask(): number | null {
    return this.asked.processorsPerTask ?? null;
  }

  @Field(() => Int, { nullable: true, description: RESOURCES.memoryPerNode })
  get memoryPerNodeMebibytes(): number | null {
    return this.asked.memoryPerNodeMebibytes ?? null;
  }

  @Field(() => Int, { nullable: true, description: RESOURCES.memoryPerProcessor })
  get memoryPerProcessorMebibytes(): number | null {
    return this.asked.memoryPerProcessorMebibytes ?? null;
  }

  @Field(() => Int, { nullable: true, description: RESOURCES.gpus })
  get gpus(): number | null {
    return this.asked.gpus ?? null;
  }

  @Field(() => String, { nullable: true, description: RESOURCES.gpuKind })
  get gpuKind(): string | null {
    return this.asked.gpuKind ?? null;
  }

  @Field(() => [String], { description: RESOURCES.constraints })
  get constraints(): readonly string[] {
    return this.asked.constraints ?? [];
  }

  @Field(() => Boolean, { description: RESOURCES.exclusive })
  get exclusive(): boolean {
    return this.asked.exclusive ?? false;
  }

  @Field(() => [Licence], { description: RESOURCES.licences })
  get licences(): Licence[] {
    return (this.asked.licences ?? []).map((licence) => new Licence(licence));
  }

  @Field(() => Int, { nullable: true, description: RESOURCES.tmpPerNode })
  get tmpPerNodeMebibytes(): number | null {
    return this.asked.tmpPerNodeMebibytes ?? null;
  }
}
