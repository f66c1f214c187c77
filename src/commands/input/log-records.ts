import type { EpochSeconds } from '../../domain/clock.ts';
import type { JobRecord } from '../../domain/job.ts';
import { toRecords } from '../../sim/records.ts';
import { type Remarks, remark, type Workload } from '../../sim/workload.ts';

/**
 * The jobs of a log that history can have, each once. Those left out are counted in the workload's remarks by their
 * reason.
 * @param originAt the moment that the log calls 0
 */
export function logRecords(workload: Workload, originAt: EpochSeconds): JobRecord[] {
  const { remarks } = workload;
  const known = new Map<string, JobRecord>();
  for (const record of toRecords(workload)) {
    const fault = faultOf(record);
    if (fault !== null) {
      remark(remarks, fault);
      continue;
    }
    const job = shifted(record, originAt);
    const name = nameOf(job);
    if (known.has(name)) remark(remarks, 'told more than once, what was told last counts');
    known.set(name, job);
  }
  return [...known.values()];
}

/** What was left out or changed on the way, the most frequent first, for people to read. */
export function remarkList(remarks: Remarks): { reason: string; count: number }[] {
  return Array.from(remarks, ([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}

/** A job at its site: ids are used again, so a moment belongs to it, which the database keeps in milliseconds. */
function nameOf({ nativeId, submitAt }: JobRecord): string {
  return `${nativeId}@${Math.round(submitAt * 1000)}`;
}

function faultOf({ nativeId, user, queue, startAt, endAt }: JobRecord): string | null {
  if (startAt === null && endAt === null) return 'neither its start nor its end is told, left out';
  const names = [nativeId, user ?? '', queue ?? ''];
  if (names.some((name) => name.length > LONGEST_NAME || name.includes('\0'))) {
    return `its id, user or queue has a NUL or more than ${LONGEST_NAME} characters, left out`;
  }
  return null;
}

/** A record whose moments counted from the log's 0. */
function shifted(record: JobRecord, originAt: EpochSeconds): JobRecord {
  const { submitAt, startAt, endAt, requestedWalltimeSeconds: walltime } = record;
  return {
    ...record,
    requestedWalltimeSeconds: walltime === null ? null : Math.min(Math.round(walltime), LARGEST_INTEGER),
    submitAt: originAt + submitAt,
    startAt: startAt === null ? null : originAt + startAt,
    endAt: endAt === null ? null : originAt + endAt,
  };
}

/** The largest that the column holds; some logs say that large for no limit at all. */
const LARGEST_INTEGER = 2 ** 31 - 1;
const LONGEST_NAME = 255;
