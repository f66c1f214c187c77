import type { ExperimentRow } from '../experiment.ts';

/**
 * Section 4.2 of wyatt-prionn: mean and median relative accuracy of turnarounds on five samples of 10,000 jobs of Cab.
 * It gives its own and by how much they exceed those with requested times.
 */
export function turnaroundPaperRows(): ExperimentRow[] {
  return [
    { name: 'paper/requested', meanAccuracy: 0.281, medianAccuracy: 0.267 },
    { name: 'paper/prionn', meanAccuracy: 0.421, medianAccuracy: 0.408, gainPoints: 14 },
  ];
}

/** What to know before ours are compared with them. */
export function turnaroundNotes(): string[] {
  return [
    'The paper has five random samples of 10,000 jobs of the Cab cluster, 2016, which is not public, and does not say by which policy its copies of the site go on. Here a log runs under EASY, and so do the copies, by the walltimes; jobs that come later are not foreseen.',
    'The row true knows every runtime, but not who comes later. Rows named generated-scripts (scripts=true) see scripts that no log has.',
  ];
}
