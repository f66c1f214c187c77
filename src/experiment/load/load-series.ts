import type { JobRecord } from '../../domain/job.ts';
import { slotOf } from '../../predict/load/slots.ts';

/** The processors that a log's jobs asked for, slot by slot. */
export interface LoadSeries {
  /** The number of the first slot. */
  readonly firstSlot: number;
  readonly processors: Float64Array;
}

/** @param records at least one, in the order of submission */
export function seriesOf(records: readonly JobRecord[]): LoadSeries {
  const firstSlot = slotOf((records[0] as JobRecord).submitAt);
  const lastSlot = slotOf((records.at(-1) as JobRecord).submitAt);
  const processors = new Float64Array(lastSlot - firstSlot + 1);
  for (const record of records) {
    const slot = slotOf(record.submitAt) - firstSlot;
    processors[slot] = (processors[slot] as number) + record.processors;
  }
  return { firstSlot, processors };
}

/**
 * Moving average over a slot and `window` slots at either side (eq. 10 of dinh-per-user-workload-prediction, whose K is
 * its W); at the ends over those there are.
 */
export function smoothed(values: Float64Array, window: number): Float64Array {
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, i) => {
    sums[i + 1] = (sums[i] as number) + value;
  });
  return values.map((_, i) => {
    const from = Math.max(0, i - window);
    const to = Math.min(values.length, i + window + 1);
    return ((sums[to] as number) - (sums[from] as number)) / (to - from);
  });
}
