import { hasRun, type JobRecord } from '../../domain/job.ts';
import { toRecords } from '../../sim/records.ts';
import { withScripts } from '../../sim/scripts/with-scripts.ts';
import type { Workload } from '../../sim/workload.ts';

/**
 * The jobs of a log with generated scripts, and with what those read and write. Jobs of a log that knows runtimes but
 * no waits are taken to have started at once, which nothing but their runtime is made of.
 */
export function scriptedRecords(workload: Workload, seed: number): JobRecord[] {
  const seconds = new Map<string, number>();
  for (let job = 0; job < workload.length; job++) {
    seconds.set(String(workload.columns.id[job]), workload.columns.runSeconds[job] as number);
  }
  const records = toRecords(workload).map((record): JobRecord => {
    const ranSeconds = seconds.get(record.nativeId) ?? 0;
    if (hasRun(record) || record.endAt !== null || !(ranSeconds > 0)) return record;
    return { ...record, startAt: record.submitAt, endAt: record.submitAt + ranSeconds };
  });
  return withScripts(records, { seed });
}
