import type { ToldOfJob } from './accounting-csv.ts';

/** The columns of a workload, all equally long. SWF's -1 stands for unknown throughout. */
export interface WorkloadColumns {
  /** The log's own job number. */
  id: Float64Array;
  submitAt: Float64Array;
  waitSeconds: Float64Array;
  runSeconds: Float64Array;
  allocatedProcessors: Int32Array;
  requestedProcessors: Int32Array;
  requestedSeconds: Float64Array;
  /** SWF: 0 failed, 1 completed, 5 cancelled, -1 unknown; 2 to 4 are parts of a checkpointed job. */
  status: Int16Array;
  user: Int32Array;
  group: Int32Array;
  executable: Int32Array;
  queue: Int32Array;
  partition: Int32Array;
}

/** The most processors of a machine or a job; a log that tells of more is mistaken. */
export const MOST_PROCESSORS = 1e8;

/** Why lines or jobs were left out or changed on the way in: reason and how often. */
export type Remarks = Map<string, number>;

export function remark(remarks: Remarks, reason: string): void {
  remarks.set(reason, (remarks.get(reason) ?? 0) + 1);
}

/** Statuses of the parts of a job that was checkpointed; the whole job has a line of its own. */
export const PARTIAL: ReadonlySet<number> = new Set([2, 3, 4]);

/** One job of a workload with everything unknown that is not told. Seconds and processors as in `WorkloadColumns`. */
export type WorkloadRow = { [Name in keyof WorkloadColumns]: number };

export const UNKNOWN_ROW: WorkloadRow = {
  id: -1,
  submitAt: 0,
  waitSeconds: -1,
  runSeconds: -1,
  allocatedProcessors: -1,
  requestedProcessors: -1,
  requestedSeconds: -1,
  status: -1,
  user: -1,
  group: -1,
  executable: -1,
  queue: -1,
  partition: -1,
};

/** Jobs of a log or a generator in typed-array columns, about 70 bytes a job, in the order of their submission. */
export class Workload {
  length = 0;
  columns: WorkloadColumns = allocate(1024);
  /**
   * Header fields of the log as written, by their names, for example `MaxProcs`. Repeated fields are joined by
   * newlines.
   */
  readonly header = new Map<string, string>();
  /** What was left out or changed while reading. */
  readonly remarks: Remarks = new Map();
  /** Names behind user numbers where the source has names; the numbers are its indices. */
  userNames: string[] | null = null;
  /** Names behind queue numbers where the source has names. */
  queueNames: Map<number, string> = new Map();
  /** What accounting tells of each job beside the columns, by its index; empty where the source tells no more. */
  told: (ToldOfJob | undefined)[] = [];

  constructor(readonly name: string) {}

  add(row: WorkloadRow): void {
    if (this.length === this.columns.id.length) this.columns = widened(this.columns);
    const index = this.length++;
    for (const name of COLUMN_NAMES) this.columns[name][index] = row[name];
  }

  /** Processors of the machine as the header states them, null when it does not, or by no whole number. */
  get machineProcessors(): number | null {
    const processors = Number(/^\d+(?=[,;.]?(?:[\s(]|$))/.exec(this.statedSize?.value ?? '')?.[0]);
    return processors <= MOST_PROCESSORS ? processors : null;
  }

  /** The header's field that states the size of the machine, as written; null where none does. */
  get statedSize(): { readonly field: string; readonly value: string } | null {
    for (const field of ['MaxProcs', 'MaxNodes']) {
      const value = this.header.get(field)?.split('\n')[0] ?? '';
      if (/^\d/.test(value) && Number.parseFloat(value) > 0) return { field, value };
    }
    return null;
  }

  /** The moment that the log calls 0, in epoch seconds; 0 when the header does not say. */
  get originAt(): number {
    const value = Number.parseFloat(this.header.get('UnixStartTime') ?? '');
    return Number.isFinite(value) ? value : 0;
  }

  /** Who submitted a job, by name where the log has names; null where it does not say. */
  userOf(index: number): string | null {
    const user = this.columns.user[index] as number;
    return user < 0 ? null : (this.userNames?.[user] ?? String(user));
  }

  /** The queue that a job was submitted to, likewise. */
  queueOf(index: number): string | null {
    const queue = this.columns.queue[index] as number;
    return queue < 0 ? null : (this.queueNames.get(queue) ?? String(queue));
  }

  /** A workload of `count` jobs from job `from` on, with the same header. */
  slice(from: number, count: number): Workload {
    const part = this.emptyPart();
    const until = Math.min(this.length, from + count);
    part.length = Math.max(0, until - from);
    part.columns = allocate(Math.max(1, part.length));
    for (const name of COLUMN_NAMES) part.columns[name].set(this.columns[name].subarray(from, until));
    part.told = this.told.slice(from, until);
    return part;
  }

  /** A workload of those jobs that are kept, in their order, with the same header. */
  only(isKept: (index: number) => boolean): Workload {
    const part = this.emptyPart();
    for (let index = 0; index < this.length; index++) {
      if (!isKept(index)) continue;
      if (this.told[index]) part.told[part.length] = this.told[index];
      part.add(this.rowAt(index));
    }
    return part;
  }

  private rowAt(index: number): WorkloadRow {
    const row = { ...UNKNOWN_ROW };
    for (const name of COLUMN_NAMES) row[name] = this.columns[name][index] as number;
    return row;
  }

  private emptyPart(): Workload {
    const part = new Workload(this.name);
    for (const [field, value] of this.header) part.header.set(field, value);
    for (const [reason, times] of this.remarks) part.remarks.set(reason, times);
    part.userNames = this.userNames;
    part.queueNames = this.queueNames;
    return part;
  }

  /**
   * Gives jobs a number of their own that bear that of a job before them, as where a log tells none or begins to count
   * anew, and counts them in `remarks`. Parts of a checkpointed job share its number, and keep it.
   */
  numberApart(): void {
    const { id, status } = this.columns;
    const known = new Set<number>();
    let highest = id.subarray(0, this.length).reduce((most, number) => Math.max(most, number), 0);
    for (let index = 0; index < this.length; index++) {
      const number = id[index] as number;
      if (PARTIAL.has(status[index] as number)) continue;
      if (known.has(number)) {
        id[index] = ++highest;
        remark(this.remarks, 'number of a job before it, given another');
      } else known.add(number);
    }
  }

  /** Sorts by submission time, keeping the order of equals. Counts what had to move in `remarks`. */
  sortBySubmission(): void {
    const submitAt = this.columns.submitAt;
    let outOfOrder = 0;
    for (let index = 1; index < this.length; index++) {
      if ((submitAt[index] as number) < (submitAt[index - 1] as number)) outOfOrder++;
    }
    if (outOfOrder === 0) return;
    this.remarks.set('submitted earlier than the line before, sorted', outOfOrder);
    const order = Array.from({ length: this.length }, (_, index) => index);
    order.sort((a, b) => (submitAt[a] as number) - (submitAt[b] as number) || a - b);
    const sorted = allocate(this.columns.id.length);
    for (const name of COLUMN_NAMES) {
      const [from, to] = [this.columns[name], sorted[name]];
      order.forEach((index, position) => {
        to[position] = from[index] as number;
      });
    }
    this.columns = sorted;
    if (this.told.length > 0) this.told = order.map((from) => this.told[from]);
  }
}

const COLUMN_NAMES = Object.keys(UNKNOWN_ROW) as (keyof WorkloadColumns)[];

function allocate(capacity: number): WorkloadColumns {
  return {
    id: new Float64Array(capacity),
    submitAt: new Float64Array(capacity),
    waitSeconds: new Float64Array(capacity),
    runSeconds: new Float64Array(capacity),
    allocatedProcessors: new Int32Array(capacity),
    requestedProcessors: new Int32Array(capacity),
    requestedSeconds: new Float64Array(capacity),
    status: new Int16Array(capacity),
    user: new Int32Array(capacity),
    group: new Int32Array(capacity),
    executable: new Int32Array(capacity),
    queue: new Int32Array(capacity),
    partition: new Int32Array(capacity),
  };
}

function widened(columns: WorkloadColumns): WorkloadColumns {
  const wider = allocate(columns.id.length * 2);
  for (const name of COLUMN_NAMES) wider[name].set(columns[name]);
  return wider;
}
