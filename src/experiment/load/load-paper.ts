import type { ExperimentRow } from '../experiment.ts';

/** Table II of dinh-per-user-workload-prediction, of the Swinburne log, which is not public. */
const TABLE_II: readonly (readonly [
  name: string,
  mse: number,
  mae: number,
  smoothedMse: number,
  smoothedMae: number,
])[] = [
  ['AR(35)', 4300, 11.67, 2310, 9.29],
  ['AR(35)-adaptive-mean', 4325, 11.81, 2290, 9.86],
  ['hazard-per-user', 2749, 10.68, 381, 7.46],
  ['hazard-clustered', 2733, 8.44, 371, 5.86],
  ['hazard-aggregate', 2738, 8.6, 377, 6.1],
];

/** The paper's rows, to be compared by their ratios: no log but its own has its processors. */
export function paperLoadRows(): ExperimentRow[] {
  return TABLE_II.map(([name, mse, mae, smoothedMse, smoothedMae]) => ({
    name: `paper/${name}`,
    mse,
    mae,
    smoothedMse,
    smoothedMae,
    smoothedMseOfAr: Math.round((1000 * smoothedMse) / 2310) / 1000,
  }));
}

export const PAPER_LOAD_NOTES: readonly string[] = [
  'The paper’s rows are of the Swinburne log (136 users, two years), which is not public: compare ratios, not processors.',
  'Eq. 10 divides by 2K + 1 where it sums over 2W + 1 slots; W is meant.',
  'Rows load/fitted-hazard and load/autoregressive learn once, from the slots that train, as in the paper; load/hazard and load/gridcast learn as they go.',
  'A log shorter than two years is split in half; the column split says how many days train and test.',
];
