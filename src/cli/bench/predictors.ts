import { benchPredictors } from '../../experiment/bench/bench-predictors.ts';
import type { Bench } from './bench.ts';
import { cpuMilliseconds } from './cpu-time.ts';

/** Speed of the predictors of waits and runtimes, in CPU time of this process. */
export const predictorsBench: Bench = {
  name: 'predictors',
  describe:
    'forecasts per second of APQ, QBETS (with updates) and gridcast after 2,000, 6,000 and 20,000 waits, and of every runtime predictor after 2,000 and 15,000 runtimes, CPU time',
  async run({ onProgress }) {
    return benchPredictors({
      readMilliseconds: cpuMilliseconds,
      onProgress,
    });
  },
};
