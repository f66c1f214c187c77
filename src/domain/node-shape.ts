/** GPUs of one kind in a node. */
export interface NodeGpus {
  /** As the site names it; null where it names none. */
  readonly kind: string | null;
  readonly count: number;
}

/** Nodes of a site that are alike, as far as a job can ask for what they have. Figures are of one node. */
export interface NodeShape {
  /** How many nodes are like that, at least 1. */
  readonly count: number;
  /** How many of them take jobs now; absent where the site does not say. */
  readonly inService?: number;
  readonly processors: number;
  /** That jobs may have; null where the site does not say. */
  readonly memoryMebibytes: number | null;
  /** None where it has none. */
  readonly gpus: readonly NodeGpus[];
  readonly features: readonly string[];
  /** Local disk space; null or absent where the site does not say. */
  readonly tmpMebibytes?: number | null;
  /** Names of the queues whose jobs may run there; absent for every queue. */
  readonly queues?: readonly string[];
}

/** A licence that a site counts out to its jobs. */
export interface LicenceCount {
  readonly name: string;
  /** All there are, in use or not. */
  readonly count: number;
}

/**
 * How a site reckons what a job is billed: a sum of what it has been given, each with its weight.
 * Source: Slurm, slurm.conf, TRESBillingWeights.
 */
export interface BillingWeights {
  readonly perProcessor: number;
  readonly perGibibyte: number;
  readonly perGpu: number;
  /** Of kinds that have a weight of their own, which counts in place of `perGpu`. */
  readonly perGpuOfKind?: Readonly<Record<string, number>>;
  /** Whether the largest of them counts, and not their sum (Slurm's `MAX_TRES`); the sum unless told. */
  readonly isLargestOnly?: boolean;
}

/** What a queue gives to its jobs beside what they ask for, and how it bills them. What is absent is not told. */
export interface QueueAllocation {
  /** Whether its jobs have their nodes to themselves, whatever they ask for. */
  readonly wholeNodes?: boolean;
  /**
   * Memory of a job that asks for none; more than a node has stands for all of it. At most one of the two is given.
   */
  readonly defaultMemoryPerProcessorMebibytes?: number;
  readonly defaultMemoryPerNodeMebibytes?: number;
  /** A job that asks for more of it is given more processors, until each has no more than that. */
  readonly maxMemoryPerProcessorMebibytes?: number;
  readonly billing?: BillingWeights;
}
