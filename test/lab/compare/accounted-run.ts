/**
 * One run of a job as a site's accounting has it, in the words that sites and Gridcast share. Read without Gridcast's
 * adapters.
 */
export interface AccountedRun {
  readonly nativeId: string;
  /** The submission key in its name; null for a job that is none of Gridcast's. */
  readonly key: string | null;
  readonly state: 'WAITING' | 'RUNNING' | 'ENDED';
  /** Whether another run of the same job came after it. */
  readonly putBack: boolean;
  readonly outcome: string | null;
  readonly processors: number;
  /** Epoch seconds; absent where that is not read, null where it is not told. */
  readonly submittedAt?: number | null;
  /** Epoch seconds; null for a run that never began, or has not ended. */
  readonly startAt: number | null;
  readonly endAt: number | null;
  /** Exit status of its script; null where accounting has none. */
  readonly exitCode: number | null;
}

/** The submission key in a job's name, null where there is none. */
export function keyIn(name: string): string | null {
  return /gc-[0-9a-f]{32}-\d+/.exec(name)?.[0] ?? null;
}

/** Processor-seconds that a run held. */
export function heldProcessorSeconds({ startAt, endAt, processors }: AccountedRun): number {
  return startAt === null || endAt === null ? 0 : Math.max(0, endAt - startAt) * processors;
}
