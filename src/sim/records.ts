import type { JobOutcome, JobRecord } from '../domain/job.ts';
import { PARTIAL, remark, type Workload } from './workload.ts';

const OUTCOMES: ReadonlyMap<number, JobOutcome> = new Map([
  [0, 'FAILED'],
  [1, 'COMPLETED'],
  [5, 'CANCELLED'],
]);
const CANCELLED = 5;

/**
 * The jobs of a log as records with the log's own waits, in the order of submission; moments count from the log's 0.
 * Jobs without a size and parts of checkpointed jobs are left out and counted in the workload's remarks. A job that was
 * cancelled while it waited has an end and no start.
 */
export function toRecords(workload: Workload): JobRecord[] {
  const records: JobRecord[] = [];
  for (let index = 0; index < workload.length; index++) {
    const record = recordAt(workload, index);
    if (record) records.push(record);
  }
  return records;
}

function recordAt(workload: Workload, index: number): JobRecord | null {
  const at = (name: keyof Workload['columns']) => workload.columns[name][index] as number;
  const processors = at('requestedProcessors') > 0 ? at('requestedProcessors') : at('allocatedProcessors');
  if (processors <= 0) {
    remark(workload.remarks, 'no size, not a record');
    return null;
  }
  if (PARTIAL.has(at('status'))) {
    remark(workload.remarks, 'part of a checkpointed job, not a record');
    return null;
  }
  const leftQueueAt = at('waitSeconds') < 0 ? null : at('submitAt') + at('waitSeconds');
  const neverStarted = at('status') === CANCELLED && at('runSeconds') <= 0;
  const ranUntilAt = leftQueueAt === null || at('runSeconds') < 0 ? null : leftQueueAt + at('runSeconds');
  const endAt = neverStarted ? leftQueueAt : ranUntilAt;
  const { outcome, use, ...told } = workload.told[index] ?? {};
  return {
    nativeId: String(at('id')),
    user: workload.userOf(index),
    queue: workload.queueOf(index),
    processors,
    requestedWalltimeSeconds: at('requestedSeconds') > 0 ? at('requestedSeconds') : null,
    submitAt: at('submitAt'),
    startAt: neverStarted ? null : leftQueueAt,
    endAt,
    outcome: endAt === null ? null : (outcome ?? OUTCOMES.get(at('status')) ?? null),
    ...told,
    ...(use && endAt !== null && { use }),
  };
}
