import { hasRun, type JobRecord } from '../../domain/job.ts';
import { toRecords } from '../../sim/records.ts';
import { scriptedRuns } from '../../sim/scripts/with-scripts.ts';
import type { Workload } from '../../sim/workload.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Parameters } from '../experiment.ts';

/** The jobs of a log with what is known of their text. */
export interface ScriptedJobs {
  readonly records: readonly JobRecord[];
  /** How long each runs by what its generated script says; null where scripts are not generated. */
  readonly saidSeconds: readonly number[] | null;
  /** Whether their text is the log's own names, or generated with what they read and wrote. */
  readonly text: 'names of the log' | 'generated scripts';
  /** Jobs at the end of the log that are not looked at. */
  readonly leftOutJobs: number;
}

/**
 * The first so many jobs of a log; where it has no names of its own each gets a generated script.
 * @throws WorkloadError when none of them ran
 */
export function scriptedJobs(
  workload: Workload,
  seed: number,
  { mostJobs, noise, unrelated }: Parameters,
): ScriptedJobs {
  const all = toRecords(workload);
  const records = all.slice(0, Number(mostJobs));
  if (!records.some(hasRun)) throw new WorkloadError(workload.name, null, 'no job of it is known to have run');
  const leftOutJobs = all.length - records.length;
  if (records.some(({ program }) => program)) {
    return { records, saidSeconds: null, text: 'names of the log', leftOutJobs };
  }
  const runs = scriptedRuns(records, { seed, noise: Number(noise), unrelatedShare: Number(unrelated) });
  return {
    records: runs.map(({ record }) => record),
    saidSeconds: runs.map(({ saidSeconds }) => saidSeconds),
    text: 'generated scripts',
    leftOutJobs,
  };
}

/** The same jobs without anything of their text. */
export function withoutText(records: readonly JobRecord[]): JobRecord[] {
  return records.map(({ program: _program, ...record }) => record);
}

/** Texts, or names where there is no more, that are different from each other, as a share of the jobs. */
export function uniqueShare(records: readonly JobRecord[]): number {
  return new Set(records.map(({ program }) => program?.script ?? program?.name)).size / records.length;
}
