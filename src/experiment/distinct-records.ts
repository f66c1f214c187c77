import type { JobRecord } from '../domain/job.ts';
import { toRecords } from '../sim/records.ts';
import { remark, type Workload } from '../sim/workload.ts';

/**
 * The jobs of a log as `toRecords` has them, each a job of its own: of those with the same number, as where a log
 * begins to count anew or tells none, the later ones get another id, which the workload's remarks count.
 */
export function distinctRecords(workload: Workload): JobRecord[] {
  const known = new Set<string>();
  return toRecords(workload).map((record, index) => {
    if (!known.has(record.nativeId)) {
      known.add(record.nativeId);
      return record;
    }
    remark(workload.remarks, 'number of a job before it, taken for another job');
    return { ...record, nativeId: `${record.nativeId} again ${index}` };
  });
}
