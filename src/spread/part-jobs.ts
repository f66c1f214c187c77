import type { ExperimentRow, Figure } from '../experiment/experiment.ts';
import type { ToldParts } from '../experiment/run/part-threads.ts';
import { WorkloadError } from '../sim/workload-error.ts';

/** The one queue of parts in a Redis; workers take them in the order in which they came, of whichever run. */
export const PARTS_QUEUE = 'gridcast-experiment-parts';
/** Parts that wait or are computed, of all runs together. */
export const MOST_PARTS_IN_QUEUE = 2000;
/** A part is computed no more often than that, whatever becomes of its workers. */
export const MOST_TIMES_STALLED = 3;
export const MOST_ATTEMPTS = 3;
/** Rows and figures of a part. */
export const MOST_RESULT_BYTES = 32 * 2 ** 20;
/** What a run is told, beside its files. */
export const MOST_TOLD_BYTES = 2 ** 20;
/** A run whose caller was not heard of for so long is over. */
export const RUN_SECONDS = 60;

/** A file that parts read, known by name and content wherever it lies. */
export interface PartFile {
  /** As the run is told it. */
  readonly told: string;
  /** Its last part, by which workers find it. */
  readonly name: string;
  readonly sha256: string;
}

/** A part as it is handed out. */
export interface PartJob {
  readonly run: string;
  readonly part: string;
  readonly told: ToldParts;
  readonly files: readonly PartFile[];
  /** What computes it, see `build-checksum.ts`: another build might say something else. */
  readonly build: string;
  /** It is given up after that. */
  readonly mostSeconds: number;
}

/** What a part came to. */
export interface PartResult {
  readonly rows: readonly ExperimentRow[];
  readonly figures: readonly Figure[];
}

/** How far a part is, and by how many signs of life it has said so. */
export interface PartProgress {
  readonly doneJobs: number;
  readonly beat: number;
}

/** Something that a worker did. */
export interface PartEvent {
  readonly event: 'BEGUN' | 'DONE' | 'FAILED' | 'GIVEN_BACK';
  readonly experiment: string;
  readonly part: string;
  /** Null where nothing is wrong. */
  readonly fault: string | null;
}

/** Where the caller of a run says that it still waits for it. */
export function runKey(run: string): string {
  return `${PARTS_QUEUE}:run:${run}`;
}

/**
 * Why a part was not computed. `CALLER`: what was asked for cannot be. `FILE`: the worker does not have a file of it.
 * `BUILD`: the worker is of another build. `LATE`: it took too long. `GONE`: nobody waits for it. `LOST`: its workers
 * died. `FAULT`: anything else.
 */
export type PartFaultKind = 'CALLER' | 'FILE' | 'BUILD' | 'LATE' | 'GONE' | 'LOST' | 'FAULT';

/** A part that was not computed, and whose fault that is. */
export class PartFault extends Error {
  constructor(
    readonly kind: PartFaultKind,
    message: string,
  ) {
    super(message);
    this.name = 'PartFault';
  }
}

/** Nobody takes or goes on with parts, or the Redis that holds them is not there. */
export class NoWorkersError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoWorkersError';
  }
}

/** Whose fault an error on a part's thread is. */
export function faultOf(error: Error): PartFault {
  if (error instanceof PartFault) return error;
  const isCallers = error instanceof RangeError || error instanceof WorkloadError || error.name === 'WorkloadError';
  // A `RangeError` of a thread that ran out of memory has a code, those for the caller have none.
  return new PartFault(isCallers && !('code' in error) ? 'CALLER' : 'FAULT', error.message);
}

/** A fault as the reason of a failed job, and back. */
export function faultText({ kind, message }: PartFault): string {
  return `${kind}: ${message}`;
}

export function parseFault(text: string): PartFault {
  const [, kind, message] = /^(CALLER|FILE|BUILD|LATE|GONE|FAULT): ([\s\S]*)$/.exec(text) ?? [];
  if (kind && message !== undefined) return new PartFault(kind as PartFaultKind, message);
  return text.includes('stalled') ? new PartFault('LOST', text) : new PartFault('FAULT', text);
}
