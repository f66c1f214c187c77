import { benchTraining } from '../../experiment/bench/bench-training.ts';
import type { Bench } from './bench.ts';
import { cpuMilliseconds } from './cpu-time.ts';

/** What teaching PRIONN's networks costs. */
export const trainingBench: Bench = {
  name: 'training',
  describe:
    'one training event of prionn, 500 generated scripts and 10 epochs from the beginning, by every variant of the paper: CPU time and memory of the process that trains, and CPU time of a forecast in the process that serves; each forked anew',
  async run({ onProgress }) {
    return benchTraining({ readMilliseconds: cpuMilliseconds, onProgress });
  },
};
