import type { ExperimentRow } from '../experiment.ts';

/**
 * wyatt-prionn, figures 8 and 9: runtimes in whole minutes, and bandwidths made of forecast bytes and runtimes, of
 * 265,786 jobs of the Cab cluster. What it gives as a difference from its own is subtracted here.
 */
export function scriptsPaperRows(): ExperimentRow[] {
  return [
    { name: 'paper/requested', minutesAccuracy: 0.24 },
    {
      name: 'paper/random-forest',
      minutesAccuracy: 0.701,
      readBandwidthAccuracy: 0.681,
      writtenBandwidthAccuracy: 0.66,
    },
    {
      name: 'paper/prionn',
      minutesAccuracy: 0.761,
      minutesAccuracyMedian: 1,
      readBandwidthAccuracy: 0.802,
      writtenBandwidthAccuracy: 0.756,
    },
  ];
}

/** What to know before the rows are compared with the paper's. */
export function scriptsNotes(): string[] {
  return [
    'Where the column text says so, scripts and bytes are generated from the log (src/sim/scripts/with-scripts.ts states the noise, --set noise=... changes it): what they say of a runtime was put there. Names of a log are its own.',
    'The row true/script is what generated scripts say themselves of runtimes: nobody can learn more from them.',
    'The paper has scripts and IO of the Cab cluster, 2016, which are not public. It rounds runtimes to whole minutes (minutes...), and its share of a job is 1 - |true - said| / the larger of the two.',
    'A forecast has one point, as the row says, and one that is least wrong relatively (...RelativePoint) where it has a spread.',
    'CPU time is that of the whole process: compare it with --threads 1. The network of prionn is taught in a process of its own, whose time is not in it.',
  ];
}
