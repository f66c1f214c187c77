import { mean } from 'simple-statistics';

import { hasRun, type JobRecord, ranSeconds } from '../../domain/job.ts';
import { AleaRule } from '../../predict/baseline/alea.ts';
import type { ExperimentRow } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';

/** The row of `alea-peeking`: it is not honest, and is no predictor that anybody can choose. */
export const ALEA_PEEKING = 'baseline/alea/peeking';

/**
 * The Alea rule as a public scoreboard computes its figures: told the runtime of every job as soon as it is submitted,
 * while it still waits or runs. The board scores jobs that never ran, too, as ones of 0 s, and takes a job without a
 * request for one whose request came true.
 * @param isScored entry i is 1 when record i counts
 */
export function aleaPeekingRow(records: readonly JobRecord[], isScored: Uint8Array): ExperimentRow {
  const rule = new AleaRule();
  const errors: number[] = [];
  for (const [job, record] of records.entries()) {
    const seconds = hasRun(record) ? ranSeconds(record) : 0;
    const requestedWalltimeSeconds = record.requestedWalltimeSeconds ?? Math.max(1, seconds);
    const told = { ...record, requestedWalltimeSeconds, startAt: record.submitAt, endAt: record.submitAt + seconds };
    if (isScored[job] === 1) errors.push(Math.abs((rule.pointSeconds(told) ?? 0) - seconds));
    rule.ended(told);
  }
  return errors.length === 0
    ? { name: ALEA_PEEKING, jobs: 0 }
    : { name: ALEA_PEEKING, jobs: errors.length, maeSeconds: rounded(mean(errors), 1) as number };
}
