import { hasRun, type JobRecord, ranSeconds } from '../../domain/job.ts';
import { reveal } from '../../predict/past/reveal.ts';
import { tell } from '../../predict/past/tell.ts';
import { requestedSeconds } from '../../predict/runtime/used-share.ts';
import { toRecords } from '../../sim/records.ts';
import type { ExperimentRow, PartInput } from '../experiment.ts';
import { type Adjuster, createAdjuster } from './adjustments.ts';
import { estimateMetrics } from './estimate-metrics.ts';
import { type EstimateFigures, EstimateTally } from './estimate-tally.ts';

/** How near each adjustment comes to what jobs ran, along the log as it happened. */
export function estimatePart({ workload, parameters, onProgress }: PartInput): ExperimentRow[] {
  const records = toRecords(workload);
  const names = String(parameters.adjustments).split(',');
  return [null, ...names].map((name: string | null, index) => {
    onProgress(Math.floor((workload.length * index) / (names.length + 1)));
    const adjuster = name === null ? null : createAdjuster(name, String(parameters.settings));
    const figures = estimateFigures(records, adjuster);
    return { name: `estimates/${name ?? 'requested'}`, jobs: figures.jobs, ...estimateMetrics(figures) };
  });
}

/** @param adjuster null for what is requested */
function estimateFigures(records: readonly JobRecord[], adjuster: Adjuster | null): EstimateFigures {
  const tally = new EstimateTally();
  for (const event of reveal(records)) {
    if (event.kind === 'submit') {
      const record = records[event.job] as JobRecord;
      const requested = requestedSeconds(record);
      if (requested !== null && hasRun(record)) {
        const estimate = adjuster?.seconds(event.submission, event.at) ?? requested;
        tally.add(requested, Math.min(requested, ranSeconds(record)), Math.min(requested, Math.max(1, estimate)));
      }
    }
    if (adjuster) tell(adjuster.predictor, event);
  }
  return tally.figures();
}
