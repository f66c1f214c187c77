import type { ExperimentRow, PartInput } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { toldPredictor } from '../told-settings.ts';
import { reserveShare } from '../varq/varq-share.ts';
import { VarqSite } from '../varq/varq-site.ts';
import { drawJobs, withinRequest } from './drawn-jobs.ts';

/**
 * What it costs to reserve for the drawn jobs: each asks, as the log submits it, for a start `leadSeconds` later, so
 * that it ends in time even if it needs its whole walltime. The padded walltime is that of what it really runs, which
 * is more than reservations know.
 */
export function reservePart(probability: number, input: PartInput): ExperimentRow[] {
  const { parameters, seed, onProgress } = input;
  const workload = withinRequest(input.workload);
  const processors = machineOf(workload, Number(parameters.processors) || undefined);
  const drawn = drawJobs(workload, processors, parameters, seed);
  const predictor = toldPredictor(String(parameters.waits), parameters);
  const site = new VarqSite(workload, processors, predictor, Number(parameters.snapshotSeconds), {
    left: drawn,
    showsOwners: true,
  });
  const leadSeconds = Number(parameters.leadSeconds);
  const recomputeSeconds = Number(parameters.recomputeSeconds);
  const startOf = (submitAt: number) => submitAt + leadSeconds;
  const tally = reserveShare(site, workload, drawn, { probability, recomputeSeconds, startOf, onProgress });
  return [tally.row(`reserve/p${probability}`, probability)];
}
