import type { Workload } from '../../sim/workload.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import type { ExperimentRow, Parameters } from '../experiment.ts';

/** Metrics that count what a row rests on. */
const COUNTS = 'jobs unanswered accepted refusals withheld chains groups promises days outages'.split(' ');

/** Parameters that say which jobs are scored. */
const CHOOSES_JOBS = /^(warmUp|history|scored|lead|share$)/;

/**
 * That an experiment has scored anything: else its rows of nothing but zeros would pass for a result. Rows that say why
 * they are not there are one.
 * @throws WorkloadError naming the parameters that left nothing
 */
export function assertScored(rows: readonly ExperimentRow[], workload: Workload, parameters: Parameters): void {
  const counted = rows.flatMap((row) => COUNTS.flatMap((name) => (typeof row[name] === 'number' ? [row[name]] : [])));
  if (counted.length === 0 || counted.some((count) => count > 0) || rows.some(({ absent }) => absent)) return;
  const chosen = Object.entries(parameters).filter(([name, value]) => CHOOSES_JOBS.test(name) && value !== 0);
  const by = chosen.map(([name, value]) => `${name}=${value}`).join(', ');
  throw new WorkloadError(
    workload.name,
    null,
    `nothing of its ${workload.length} jobs is left to score${by && `: take a longer log, or tell others than ${by}`}`,
  );
}
