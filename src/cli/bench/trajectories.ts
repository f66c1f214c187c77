import { benchTrajectories } from '../../experiment/bench/bench-trajectories.ts';
import type { Bench } from './bench.ts';
import { cpuMilliseconds } from './cpu-time.ts';

const PREDICTORS = ['wait/qbets', 'wait/gridcast'];
const RESERVATIONS = 10_000;

/** What it costs to keep waiting promises up to date, in CPU time of this process. */
export const trajectoriesBench: Bench = {
  name: 'trajectories',
  describe: `recomputing the trajectories of ${RESERVATIONS} waiting reservations, CPU time; the bar is 20 % of a core at one every five minutes`,
  async run({ onProgress }) {
    return benchTrajectories(PREDICTORS, RESERVATIONS, {
      readMilliseconds: cpuMilliseconds,
      onProgress,
    });
  },
};
