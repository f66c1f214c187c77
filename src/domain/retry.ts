/** Ends after which a job may be run again. */
export const RETRY_OUTCOMES = ['NODE_FAIL', 'PREEMPTED', 'TIMEOUT', 'OUT_OF_MEMORY', 'FAILED'] as const;
export type RetryOutcome = (typeof RETRY_OUTCOMES)[number];

/** When a job is run again, and what more it may ask for then. */
export interface RetryPolicy {
  readonly on: readonly RetryOutcome[];
  /** How often it is run in all. */
  readonly mostTries: number;
  /** The longest walltime that a later try may ask for; null for any. */
  readonly walltimeAtMostSeconds: number | null;
  /** By what the memory of a try is multiplied that ran out of it. */
  readonly memoryFactor: number;
  /** The most memory that it may ask for then, as it asks for it: of a node or of a processor; null for any. */
  readonly memoryAtMostMebibytes: number | null;
}

export const MOST_TRIES = 10;
export const USUAL_MEMORY_FACTOR = 2;
export const LARGEST_MEMORY_FACTOR = 16;
