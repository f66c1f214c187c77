import { invariant } from '../../domain/failures.ts';
import { NOTHING_KNOWN } from '../../domain/forecast.ts';
import type { SubmittedJob } from '../../domain/job.ts';
import type { RuntimePredictor } from '../../predict/predictor.ts';
import type { AskedPredictors } from './followed-jobs.ts';
import type { ScriptedJobs } from './scripted-jobs.ts';

/** The row of what generated scripts say themselves: the most that can be learned from them. */
export const SAID = 'true/script';

/** Who reads in each generated script how long its job runs; nothing where none is generated. */
export function saidBy({ records, saidSeconds }: ScriptedJobs): AskedPredictors & { scoresRuntime: boolean } {
  let asked = 0;
  const runtime: RuntimePredictor = {
    name: SAID,
    version: '1',
    submitted: (_job: SubmittedJob) => void asked++,
    predict(_job, _state, now) {
      const pointSeconds = saidSeconds?.[asked] ?? Number.POSITIVE_INFINITY;
      return {
        predictor: SAID,
        version: '1',
        madeAt: now,
        sampleSize: 0,
        pointSeconds,
        quantileSeconds: NOTHING_KNOWN,
      };
    },
  };
  assertInOrder(records);
  return { runtime, read: null, written: null, scoresRuntime: true };
}

/** Jobs are asked about one after the other, as they are submitted. */
function assertInOrder(records: ScriptedJobs['records']): void {
  const isInOrder = records.every(({ submitAt }, job) => job === 0 || submitAt >= (records[job - 1]?.submitAt ?? 0));
  invariant(isInOrder, 'jobs of a log come in the order of their submission');
}
