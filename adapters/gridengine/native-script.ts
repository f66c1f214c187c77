import type { JobSpec } from '../../src/domain/job.ts';
import { wrapJob } from '../shared/self-contained.ts';

/**
 * Statuses by which a script gives its cell a command, sge_submit(5): 99 has the job run again and again, 100 has it
 * wait in error without an end. Each is told by a status that no signal leaves.
 */
const TOLD_AS: ReadonlyMap<number, number> = new Map([
  [99, 227],
  [100, 228],
]);
const MEANT_BY = new Map([...TOLD_AS].map(([status, told]) => [told, status]));

/**
 * A job's script as a cell runs it. Its wrapper stays beside it, so that a status of the script's that is a command to
 * the cell does not reach it, and one that got SIGKILL is told from a job that was deleted.
 */
export function nativeScript(spec: JobSpec): string {
  return wrapJob(spec, [], TELL_STATUS);
}

/** The script's own exit status by that of its job. */
export function scriptStatus(jobStatus: number): number {
  return MEANT_BY.get(jobStatus) ?? jobStatus;
}

const TELL_STATUS = [
  'case $gridcast_status in',
  ...[...TOLD_AS].map(([status, told]) => `${status}) exit ${told} ;;`),
  'esac',
  'exit "$gridcast_status"',
];
