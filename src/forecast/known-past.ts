import type { JobRecord } from '../domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../domain/snapshot.ts';

/**
 * The jobs of a site's past so that they agree with what it says now: those it shows are there, and those it no longer
 * shows are over. When a job went that nobody told the end of is not known: one that had started goes at its requested
 * walltime, one that had not is left out.
 * @param records in any order, one a job
 * @returns in the order of submission
 */
export function knownPast(records: readonly JobRecord[], { observedAt, waiting, running }: Snapshot): JobRecord[] {
  const shown = new Map([...waiting, ...running].map((job) => [nameOf(job), recordOf(job)]));
  const past: JobRecord[] = [];
  for (const record of records) {
    const atSite = shown.get(nameOf(record));
    shown.delete(nameOf(record));
    if (record.endAt !== null) past.push(record);
    else if (atSite) past.push({ ...record, startAt: record.startAt ?? atSite.startAt });
    else if (record.startAt !== null) {
      const killedAt = record.startAt + (record.requestedWalltimeSeconds ?? 0);
      past.push(killedAt <= observedAt ? { ...record, endAt: killedAt } : record);
    }
  }
  return [...past, ...shown.values()].sort((a, b) => a.submitAt - b.submitAt);
}

function recordOf({ key: _key, ...job }: WaitingJob | RunningJob): JobRecord {
  return { startAt: null, ...job, endAt: null, outcome: null };
}

function nameOf({ nativeId, submitAt }: { nativeId: string; submitAt: number }): string {
  return `${nativeId}@${submitAt}`;
}
