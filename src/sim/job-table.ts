import type { JobOutcome } from '../domain/job.ts';
import { JOB_OUTCOMES } from '../domain/job.ts';

/** Where a simulated job stands: not yet submitted, in the queue, holding processors, or over. */
export const JobState = { PENDING: 0, WAITING: 1, RUNNING: 2, ENDED: 3 } as const;
export type JobState = (typeof JobState)[keyof typeof JobState];

/** A job as the simulator needs it. All times are seconds; a job is named by its index from then on. */
export interface SimulatedJob {
  readonly submitAt: number;
  readonly processors: number;
  /** The job is killed after this long. */
  readonly walltimeSeconds: number;
  /** How long it would run when nobody killed it; positive. */
  readonly runSeconds: number;
  /** The run begins no earlier than this; until then the job only holds its processors. */
  readonly holdUntilAt?: number;
  /**
   * The run begins only when the job is told to (`Cluster.openGate`); it gives up, FAILED, that long after its start.
   */
  readonly gateSeconds?: number;
  /** The default queue unless told. */
  readonly queue?: string | null;
  /** How it ends when it is neither killed nor cancelled; `COMPLETED` unless told. */
  readonly ownOutcome?: JobOutcome;
}

const OUTCOME_CODES = new Map<JobOutcome, number>(JOB_OUTCOMES.map((outcome, index) => [outcome, index + 1]));

/** The small number an outcome is stored as; 0 stands for none. */
export function outcomeCode(outcome: JobOutcome | null): number {
  return outcome === null ? 0 : (OUTCOME_CODES.get(outcome) ?? 0);
}

/** The outcome stored as `code`, null for 0. */
export function outcomeOf(code: number): JobOutcome | null {
  return JOB_OUTCOMES[code - 1] ?? null;
}

/** The columns of a job table, all equally long. */
export interface JobColumns {
  submitAt: Float64Array;
  processors: Int32Array;
  walltimeSeconds: Float64Array;
  runSeconds: Float64Array;
  holdUntilAt: Float64Array;
  /** Of a job that waits to be told to begin; NaN of any other. */
  gateSeconds: Float64Array;
  /** How long the scheduler believes a waiting job will run. */
  believedSeconds: Float64Array;
  /** When the scheduler believes a running job will end. */
  expectedEndAt: Float64Array;
  /** When a running job will end if nobody interferes. */
  dueAt: Float64Array;
  /** NaN until the job starts. */
  startAt: Float64Array;
  /** NaN until the job ends. */
  endAt: Float64Array;
  /** Orders starts, also those of one moment. */
  startOrder: Int32Array;
  state: Uint8Array;
  ownOutcome: Uint8Array;
  outcome: Uint8Array;
}

/** All jobs of one cluster in typed-array columns that double when full: about 100 bytes a job. */
export class JobTable {
  length = 0;
  columns: JobColumns;

  constructor(capacity = 1024) {
    this.columns = allocate(Math.max(1, capacity));
  }

  /** Appends a job that is not yet submitted and returns its index. */
  add(job: SimulatedJob): number {
    if (this.length === this.columns.state.length) this.columns = grown(this.columns);
    const index = this.length++;
    const columns = this.columns;
    columns.submitAt[index] = job.submitAt;
    columns.processors[index] = job.processors;
    columns.walltimeSeconds[index] = job.walltimeSeconds;
    columns.runSeconds[index] = job.runSeconds;
    columns.holdUntilAt[index] = job.holdUntilAt ?? Number.NEGATIVE_INFINITY;
    columns.gateSeconds[index] = job.gateSeconds ?? Number.NaN;
    columns.believedSeconds[index] = job.walltimeSeconds;
    columns.startAt[index] = Number.NaN;
    columns.endAt[index] = Number.NaN;
    columns.ownOutcome[index] = outcomeCode(job.ownOutcome ?? 'COMPLETED');
    return index;
  }
}

function allocate(capacity: number): JobColumns {
  return {
    submitAt: new Float64Array(capacity),
    processors: new Int32Array(capacity),
    walltimeSeconds: new Float64Array(capacity),
    runSeconds: new Float64Array(capacity),
    holdUntilAt: new Float64Array(capacity),
    gateSeconds: new Float64Array(capacity),
    believedSeconds: new Float64Array(capacity),
    expectedEndAt: new Float64Array(capacity),
    dueAt: new Float64Array(capacity),
    startAt: new Float64Array(capacity),
    endAt: new Float64Array(capacity),
    startOrder: new Int32Array(capacity),
    state: new Uint8Array(capacity),
    ownOutcome: new Uint8Array(capacity),
    outcome: new Uint8Array(capacity),
  };
}

/** Columns of twice the length that begin with the given ones. */
function grown(columns: JobColumns): JobColumns {
  const larger = allocate(columns.state.length * 2);
  for (const name of columnNames(columns)) larger[name].set(columns[name]);
  return larger;
}

function columnNames(columns: JobColumns): (keyof JobColumns)[] {
  return Object.keys(columns) as (keyof JobColumns)[];
}
