import type { JobOutcome } from '../domain/job.ts';
import { type NamedRow, toldByAccounting } from './accounting-csv.ts';
import { mostInUse } from './most-in-use.ts';
import { parseWalltime } from './walltime-text.ts';
import { MOST_PROCESSORS, remark, UNKNOWN_ROW, Workload } from './workload.ts';
import { WorkloadError } from './workload-error.ts';

/** Under which names a fact may be found, the best first. */
const COLUMNS = {
  id: ['jobid', 'id'],
  submit: ['submitat', 'submit', 'submittime', 'qtime', 'ctime'],
  start: ['startat', 'start', 'starttime'],
  end: ['endat', 'end', 'endtime'],
  processors: ['processors', 'procs', 'alloccpus', 'ncpus', 'reqcpus', 'nnodes'],
  walltime: ['requestedwalltimeseconds', 'walltimeseconds', 'reqwalltime', 'timelimit'],
  walltimeMinutes: ['timelimitraw'],
  user: ['user', 'uid'],
  group: ['account', 'group'],
  queue: ['queue', 'partition'],
  state: ['state', 'outcome', 'status'],
  exit: ['exitstatus', 'exitcode'],
} as const;

const READ = new Set<string>(Object.values(COLUMNS).flat());

const NO_MOMENT = new Set(['', 'unknown', 'none', 'n/a', '-1', 'null']);
const LATEST_AT = 1e10;
const SWF_FAILED = 0;
const SWF_COMPLETED = 1;
const SWF_CANCELLED = 5;
/** Of outcomes as accounting tells them. */
const STATUS_OF: Readonly<Record<JobOutcome, number>> = {
  COMPLETED: SWF_COMPLETED,
  CANCELLED: SWF_CANCELLED,
  FAILED: SWF_FAILED,
  TIMEOUT: SWF_FAILED,
  NODE_FAIL: SWF_FAILED,
  PREEMPTED: SWF_FAILED,
  OUT_OF_MEMORY: SWF_FAILED,
};

/**
 * Gathers a workload from rows with named columns: `sacct -P` or a CSV file. Moments are epoch seconds or ISO 8601,
 * without a zone taken as UTC; times limits are seconds or Slurm's `days-hours:minutes:seconds`. Job steps and jobs
 * that were never submitted are left out and counted. Submission times count from the first, which `UnixStartTime` of
 * the header names.
 */
export class NamedColumnsReader {
  private readonly workload: Workload;
  private readonly users = new Numbers();
  private readonly groups = new Numbers();
  private readonly queues = new Numbers();
  private readonly noted = { zone: false };

  constructor(
    private readonly source: string,
    names: readonly string[],
  ) {
    this.workload = new Workload(source);
    const known = names.map(columnKey);
    const twice = known.find((name, i) => READ.has(name) && known.indexOf(name) < i);
    if (twice !== undefined) {
      throw new WorkloadError(source, 1, `two columns are called ${twice}; leave one of them out`);
    }
    const missing = (['submit', 'processors'] as const).filter((needed) => {
      return !COLUMNS[needed].some((name) => known.includes(name));
    });
    if (missing.length === 0) return;
    const remedies = missing.map((needed) => `no column for ${needed}; name one of them ${COLUMNS[needed].join(', ')}`);
    throw new WorkloadError(source, 1, remedies.join('; '));
  }

  /** @throws WorkloadError when a value cannot be read */
  add(row: NamedRow, line: number): void {
    const id = text(row, 'id');
    const remarks = this.workload.remarks;
    if (/^\d+(_\d+)?\./.test(id) && /^\d+(_\d+)?\.(batch|extern|\d+)$/.test(id)) {
      remark(remarks, 'job step, skipped');
      return;
    }
    const submitAt = this.moment(text(row, 'submit'), line);
    if (submitAt === null) {
      remark(remarks, 'no submission time, skipped');
      return;
    }
    const startAt = this.moment(text(row, 'start'), line);
    const endAt = this.moment(text(row, 'end'), line);
    if (startAt !== null && startAt < submitAt) remark(remarks, 'started before it was submitted, wait unknown');
    if (startAt !== null && endAt !== null && endAt < startAt) {
      remark(remarks, 'ended before it started, runtime unknown');
    }
    const number = Number.parseInt(id, 10);
    const runSeconds = startAt === null || endAt === null || endAt < startAt ? -1 : endAt - startAt;
    const requestedSeconds = this.walltime(row, line);
    const told = toldByAccounting(
      row,
      { ranSeconds: orNull(runSeconds), requestedSeconds: orNull(requestedSeconds) },
      remarks,
    );
    this.workload.told.push(told);
    this.workload.add({
      ...UNKNOWN_ROW,
      id: Number.isFinite(number) ? number : this.workload.length + 1,
      submitAt,
      waitSeconds: startAt === null || startAt < submitAt ? -1 : startAt - submitAt,
      runSeconds,
      allocatedProcessors: this.whole(text(row, 'processors'), line),
      requestedProcessors: this.whole(text(row, 'processors'), line),
      requestedSeconds,
      status: told.outcome ? STATUS_OF[told.outcome] : statusOf(row),
      user: this.users.of(text(row, 'user')),
      group: this.groups.of(text(row, 'group')),
      queue: this.queues.of(text(row, 'queue')),
    });
  }

  /** @throws WorkloadError when there was no job */
  finish(): Workload {
    const { workload } = this;
    if (workload.length === 0) throw new WorkloadError(this.source, null, 'no job in it');
    workload.sortBySubmission();
    const { submitAt } = workload.columns;
    const first = submitAt[0] as number;
    workload.header.set('UnixStartTime', String(first));
    for (let index = 0; index < workload.length; index++) submitAt[index] = (submitAt[index] as number) - first;
    const most = mostInUse(workload);
    if (most > 0) {
      workload.header.set('MaxProcs', String(most));
      workload.remarks.set('processors in use at most, taken as the size of the machine, which is not told', most);
    }
    workload.userNames = ['', ...this.users.names];
    workload.queueNames = new Map(this.queues.names.map((name, index) => [index + 1, name]));
    return workload;
  }

  private moment(value: string, line: number): number | null {
    if (NO_MOMENT.has(value.toLowerCase())) return null;
    if (/^\d+(\.\d+)?$/.test(value) && Number(value) <= LATEST_AT) return Number(value);
    const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(value);
    const milliseconds = Date.parse(zoned ? value : `${value.replace(' ', 'T')}Z`);
    if (Number.isNaN(milliseconds)) throw new WorkloadError(this.source, line, `${JSON.stringify(value)} is no moment`);
    if (!zoned && !this.noted.zone) {
      this.noted.zone = true;
      remark(this.workload.remarks, 'moments without a time zone, taken as UTC');
    }
    return milliseconds / 1000;
  }

  private whole(value: string, line: number): number {
    if (value === '') return -1;
    const number = Number(value);
    if (!Number.isInteger(number) || number > MOST_PROCESSORS) {
      throw new WorkloadError(this.source, line, `${JSON.stringify(value)} is no number of processors`);
    }
    return number > 0 ? number : -1;
  }

  private walltime(row: NamedRow, line: number): number {
    const minutes = text(row, 'walltimeMinutes');
    if (/^\d+$/.test(minutes)) return Number(minutes) * 60;
    const value = text(row, 'walltime');
    if (value === '' || /^(UNLIMITED|Partition_Limit|INVALID|-1)$/.test(value)) return -1;
    const seconds = parseWalltime(value);
    if (seconds === null) throw new WorkloadError(this.source, line, `${JSON.stringify(value)} is no time limit`);
    return seconds;
  }
}

/** The key of a column's name in a `NamedRow`. */
export function columnKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function text(row: NamedRow, fact: keyof typeof COLUMNS): string {
  for (const name of COLUMNS[fact]) {
    const value = row[name]?.trim();
    if (value) return value;
  }
  return '';
}

function statusOf(row: NamedRow): number {
  const state = text(row, 'state').toUpperCase();
  if (/^CANCELLED/.test(state)) return SWF_CANCELLED;
  if (state === 'COMPLETED') return SWF_COMPLETED;
  if (/^(FAILED|TIMEOUT|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|BOOT_FAIL|DEADLINE)/.test(state)) return SWF_FAILED;
  const exit = text(row, 'exit');
  if (exit === '') return -1;
  return /^0(:0)?$/.test(exit) ? SWF_COMPLETED : SWF_FAILED;
}

/** Numbers names from 1 in the order in which they come; an empty name is -1. */
class Numbers {
  readonly names: string[] = [];
  private readonly numbers = new Map<string, number>();

  of(name: string): number {
    if (name === '') return -1;
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.names.push(name);
    this.numbers.set(name, this.names.length);
    return this.names.length;
  }
}

function orNull(seconds: number): number | null {
  return seconds < 0 ? null : seconds;
}
