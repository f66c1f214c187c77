import { Field, Float, Int, ObjectType } from 'type-graphql';
import type {
  NodeGpus,
  QueueAllocation,
  NodeShape as Shape,
  BillingWeights as Weights,
} from '../../domain/node-shape.ts';

@ObjectType({ description: 'GPUs of one kind in a node.' })
export class GpuCount {
  @Field(() => String, { nullable: true, description: 'As its site names it; null where it names none.' })
  kind!: string | null;

  @Field(() => Int, { description: 'How many of them.' })
  count!: number;
}

@ObjectType({ description: 'Nodes of a site that are alike. Figures are of one node.' })
export class NodeShape {
  constructor(private readonly shape: Shape) {}

  @Field(() => Int, { description: 'How many nodes are like that.' })
  get count(): number {
    return this.shape.count;
  }

  @Field(() => Int, {
    nullable: true,
    description: 'How many of them take jobs now; null where the site does not say.',
  })
  get inService(): number | null {
    return this.shape.inService ?? null;
  }

  @Field(() => Int, { description: 'Processors.' })
  get processors(): number {
    return this.shape.processors;
  }

  @Field(() => Float, { nullable: true, description: 'Memory for jobs; null where the site does not say.' })
  get memoryMebibytes(): number | null {
    return this.shape.memoryMebibytes;
  }

  @Field(() => [GpuCount], { description: 'GPUs by kind.' })
  get gpus(): readonly NodeGpus[] {
    return this.shape.gpus;
  }

  @Field(() => [String], { description: 'Features that jobs may ask for.' })
  get features(): readonly string[] {
    return this.shape.features;
  }

  @Field(() => Float, { nullable: true, description: 'Local disk space; null where the site does not say.' })
  get tmpMebibytes(): number | null {
    return this.shape.tmpMebibytes ?? null;
  }

  @Field(() => [String], { nullable: true, description: 'Queues whose jobs may run there; null for every queue.' })
  get queues(): readonly string[] | null {
    return this.shape.queues ?? null;
  }
}

@ObjectType({ description: 'Weight of a GPU of a kind in what a site bills.' })
export class GpuWeight {
  @Field(() => String, { description: 'As the site names it.' })
  kind!: string;

  @Field(() => Float, { description: 'Billed for each of them.' })
  weight!: number;
}

@ObjectType({ description: 'How a site reckons what a job is billed: what it was given, each with its weight.' })
export class BillingWeights {
  constructor(private readonly weights: Weights) {}

  @Field(() => Float, { description: 'For each processor.' })
  get perProcessor(): number {
    return this.weights.perProcessor;
  }

  @Field(() => Float, { description: 'For each GiB of memory.' })
  get perGibibyte(): number {
    return this.weights.perGibibyte;
  }

  @Field(() => Float, { description: 'For each GPU.' })
  get perGpu(): number {
    return this.weights.perGpu;
  }

  @Field(() => [GpuWeight], { description: 'Kinds of GPUs that have a weight of their own.' })
  get perGpuOfKind(): GpuWeight[] {
    return Object.entries(this.weights.perGpuOfKind ?? {}).map(([kind, weight]) => ({ kind, weight }));
  }

  @Field(() => Boolean, { description: 'Whether the largest of them counts, and not their sum.' })
  get isLargestOnly(): boolean {
    return this.weights.isLargestOnly ?? false;
  }
}

@ObjectType({ description: 'What a queue gives to its jobs beside what they ask for; null is not told.' })
export class Allocation {
  constructor(private readonly told: QueueAllocation) {}

  @Field(() => Boolean, { description: 'Whether its jobs have their nodes to themselves, whatever they ask for.' })
  get wholeNodes(): boolean {
    return this.told.wholeNodes ?? false;
  }

  @Field(() => Float, { nullable: true, description: 'Memory for each processor of a job that asks for none, in MiB.' })
  get defaultMemoryPerProcessorMebibytes(): number | null {
    return this.told.defaultMemoryPerProcessorMebibytes ?? null;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'Memory on each node of a job that asks for none, in MiB; all of it at most.',
  })
  get defaultMemoryPerNodeMebibytes(): number | null {
    return this.told.defaultMemoryPerNodeMebibytes ?? null;
  }

  @Field(() => Float, {
    nullable: true,
    description: 'A job that asks for more memory for each processor, in MiB, is given more processors.',
  })
  get maxMemoryPerProcessorMebibytes(): number | null {
    return this.told.maxMemoryPerProcessorMebibytes ?? null;
  }

  @Field(() => BillingWeights, { nullable: true, description: 'How it bills its jobs.' })
  get billing(): BillingWeights | null {
    return this.told.billing ? new BillingWeights(this.told.billing) : null;
  }
}
