import { hasRun, type JobRecord } from '../../domain/job.ts';
import { toRecords } from '../../sim/records.ts';
import { withScripts } from '../../sim/scripts/with-scripts.ts';
import type { Workload } from '../../sim/workload.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { Parameters } from '../experiment.ts';

/** The jobs of a log with what is known of their text. */
export interface ScriptedJobs {
  readonly records: readonly JobRecord[];
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
  if (records.some(({ program }) => program)) return { records, text: 'names of the log', leftOutJobs };
  const scripted = withScripts(records, { seed, noise: Number(noise), unrelatedShare: Number(unrelated) });
  return { records: scripted, text: 'generated scripts', leftOutJobs };
}

/** The same jobs without anything of their text. */
export function withoutText(records: readonly JobRecord[]): JobRecord[] {
  return records.map(({ program: _program, ...record }) => record);
}
