import { RandomStream } from '../../sim/random.ts';
import type { Workload } from '../../sim/workload.ts';
import type { Parameters } from '../experiment.ts';

/** That deadlines are asked with. */
export const PROBABILITIES = [0.5, 0.8, 0.95] as const;

/**
 * A log in which no job runs beyond what it requested: one that did was killed by it, a little late. So that whoever
 * forecasts runtimes sees it as it is, and nobody knows from a longer request how long it would run.
 */
export function withinRequest(log: Workload): Workload {
  const within = log.slice(0, log.length);
  const { runSeconds, requestedSeconds } = within.columns;
  for (let index = 0; index < within.length; index++) {
    const requested = requestedSeconds[index] as number;
    if (requested > 0 && (runSeconds[index] as number) > requested) runSeconds[index] = requested;
  }
  return within;
}

/**
 * Draws about `deadlines` jobs after the warm-up, in the order of the log: of those that ran, fit the machine and say
 * how long they ask to run.
 */
export function drawJobs(workload: Workload, processors: number, parameters: Parameters, seed: number): Set<number> {
  const { runSeconds, requestedSeconds, allocatedProcessors } = workload.columns;
  const random = new RandomStream(seed);
  const fit: number[] = [];
  for (let index = Number(parameters.warmUpJobs); index < workload.length; index++) {
    const size = allocatedProcessors[index] as number;
    const hasRun = (runSeconds[index] as number) > 0 && (requestedSeconds[index] as number) > 0;
    if (hasRun && size > 0 && size <= processors) fit.push(index);
  }
  const share = Number(parameters.deadlines) / fit.length;
  return new Set(fit.filter(() => random.uniform() < share));
}
