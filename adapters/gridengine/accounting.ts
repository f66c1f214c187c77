import type { EpochSeconds } from '../../src/domain/clock.ts';
import { invariant } from '../../src/domain/failures.ts';
import type { JobOutcome, JobRecord } from '../../src/domain/job.ts';
import { parseBytes } from '../shared/amounts.ts';
import { told, toldUse } from '../shared/told.ts';
import { parseSeconds } from './duration.ts';
import { accountOf, addProcesses, type EntryUse, useOf } from './use.ts';

/**
 * One line of the accounting file, accounting(5): one run of a job, or of a task of an array. A job that was put back
 * has several.
 */
export interface AccountingEntry {
  /** `<job>`, or `<job>.<task>` for a task of an array. */
  readonly nativeId: string;
  readonly name: string;
  readonly user: string;
  readonly queue: string;
  readonly processors: number;
  readonly requestedWalltimeSeconds: number | null;
  /** Null in the lines of runs that were put back before they began. */
  readonly submitAt: EpochSeconds | null;
  readonly startAt: EpochSeconds | null;
  readonly endAt: EpochSeconds | null;
  /** What went wrong beside the script, sge_status(5); 0 nothing. */
  readonly failed: number;
  readonly exitStatus: number;
  readonly requestsMemory: boolean;
  /** Of all of its slots together; null where it asked for no such limit. */
  readonly memoryLimitBytes: number | null;
  readonly group: string | null;
  /** Null where none was asked for. */
  readonly account: string | null;
  readonly use: EntryUse;
}

const FIELDS_BEFORE_CATEGORY = 39;
const FIELDS_AFTER_CATEGORY = 5;

/**
 * Reads lines of an accounting file without its comments. What a parallel job's single processes used, of which cells
 * may have lines of their own before the job's, is added to the job.
 * @throws Error when a line is no such line
 */
export function parseAccounting(text: string): AccountingEntry[] {
  const lines = text.split('\n').filter((line) => line.length > 1 && !line.startsWith('#'));
  return addProcesses(lines.map(entryOf));
}

function entryOf(line: string): { entry: AccountingEntry; isProcess: boolean } {
  const fields = line.split(':');
  if (fields.length < FIELDS_BEFORE_CATEGORY + 1 + FIELDS_AFTER_CATEGORY) {
    throw new Error(`a line of the accounting file has ${fields.length} fields`);
  }
  const field = (number: number) => fields[number - 1] as string;
  // The category may contain colons, so what follows it is counted from the end.
  const category = fields.slice(FIELDS_BEFORE_CATEGORY, -FIELDS_AFTER_CATEGORY).join(':');
  const task = Number(field(36));
  const entry = {
    nativeId: task > 0 ? `${field(6)}.${task}` : field(6),
    name: field(5),
    user: field(4),
    queue: field(1),
    processors: Number(field(35)),
    requestedWalltimeSeconds: parseSeconds(/-l \S*?\bh_rt=([\d:.]+)/.exec(category)?.[1] ?? ''),
    submitAt: momentOf(field(9)),
    startAt: momentOf(field(10)),
    endAt: momentOf(field(11)),
    failed: Number(field(12)),
    exitStatus: Number(field(13)),
    requestsMemory: /\bh_(vmem|rss|data)=/.test(category),
    memoryLimitBytes: limitOf(category, Number(field(35))),
    group: field(3) || null,
    account: accountOf(field(7), field(32)),
    use: useOf(field(37), fields.at(-3) ?? ''),
  };
  return { entry, isProcess: fields.at(-4) !== 'NONE' };
}

/** The virtual memory of a job, of which its category tells what each slot may have. */
function limitOf(category: string, slots: number): number | null {
  const bytes = parseBytes(/\bh_vmem=([\d.]+[kKmMgGtT]?)/.exec(category)?.[1]);
  return bytes === null ? null : bytes * slots;
}

/** Epoch seconds, 0 when it did not happen; some descendants of Grid Engine give milliseconds. */
function momentOf(epoch: string): EpochSeconds | null {
  const value = Number(epoch);
  if (!(value > 0)) return null;
  return value > 1e11 ? value / 1000 : value;
}

/**
 * The walltime is counted from when a host takes a job up, its start from when its script is begun: on a busy host
 * seconds later. Both ends are cut to whole seconds, too.
 */
const LATEST_START_SECONDS = 5;
const LATEST_START_SHARE = 1 / 3;
const MIGRATING = 24;
const RESCHEDULED = 25;
const LIMIT_ENFORCED = 37;
const KILLED = 100;
const SIGKILL_STATUS = 128 + 9;
/** The shepherd, execd or its host went down under the job. */
const HOST_FAILED = new Set([18, 19, 21]);

/** Whether the run of that line was followed, or is to be followed, by another one of the same job. */
export function wasPutBack({ failed }: AccountingEntry): boolean {
  return failed === MIGRATING || failed === RESCHEDULED;
}

/**
 * How a job ended. Grid Engine says of a job that was killed neither by whom nor why: one that had used up its h_rt by
 * then was ended by that, any other that got SIGKILL was cancelled.
 */
export function outcomeOf(entry: AccountingEntry): JobOutcome {
  const { failed, exitStatus } = entry;
  invariant(!wasPutBack(entry), `the run of job ${entry.nativeId} was not its last`);
  if (failed === 0) return exitStatus === 0 ? 'COMPLETED' : 'FAILED';
  const wasCutShort = HOST_FAILED.has(failed) || failed === KILLED;
  // A job that is deleted while it is being started leaves such a line without a start.
  if (wasCutShort && entry.startAt === null) return 'CANCELLED';
  if (HOST_FAILED.has(failed)) return 'NODE_FAIL';
  if (failed !== LIMIT_ENFORCED && failed !== KILLED) return 'FAILED';
  if (hasUsedItsWalltime(entry)) return 'TIMEOUT';
  if (failed === LIMIT_ENFORCED) return entry.requestsMemory ? 'OUT_OF_MEMORY' : 'TIMEOUT';
  if (hasUsedItsMemory(entry)) return 'OUT_OF_MEMORY';
  return exitStatus === SIGKILL_STATUS ? 'CANCELLED' : 'FAILED';
}

/** Whether it was last seen with more virtual memory than it may have. */
function hasUsedItsMemory({ memoryLimitBytes, use }: AccountingEntry): boolean {
  return memoryLimitBytes !== null && use.memoryBytes !== null && use.memoryBytes >= memoryLimitBytes;
}

function hasUsedItsWalltime({ startAt, endAt, requestedWalltimeSeconds }: AccountingEntry): boolean {
  if (startAt === null || endAt === null || requestedWalltimeSeconds === null) return false;
  const lost = Math.min(LATEST_START_SECONDS, requestedWalltimeSeconds * LATEST_START_SHARE);
  return endAt - startAt >= requestedWalltimeSeconds - lost;
}

/** The line as a record of history; null for a run that was not the job's last. */
export function recordOf(entry: AccountingEntry): JobRecord | null {
  const { nativeId, user, queue, processors, requestedWalltimeSeconds, submitAt, startAt, endAt } = entry;
  if (wasPutBack(entry) || submitAt === null) return null;
  return {
    nativeId,
    user,
    queue,
    processors,
    requestedWalltimeSeconds,
    submitAt,
    startAt,
    endAt: endAt ?? startAt ?? submitAt,
    outcome: outcomeOf(entry),
    ...told(entry),
    ...(startAt === null ? {} : toldUse({ ...entry.use, readBytes: null, writtenBytes: null })),
  };
}
