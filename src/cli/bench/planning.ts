import { benchPlanning } from '../../experiment/bench/bench-planning.ts';
import type { Bench } from './bench.ts';
import { cpuMilliseconds } from './cpu-time.ts';

/** What a plan costs over many sites and sizes, in CPU time of this process. */
export const planningBench: Bench = {
  name: 'planning',
  describe:
    'planning one job over 20 sites x 5 sizes and over 200 sites, CPU time: the forecasts of every option (of each site one of the runtime, which a speedup model scales, and of each size one of the wait) by gridcast predictors that have learned 2,000 jobs of their site (of 200 sites ten share a past, each in another state), and the choice with its reasons; every tenth plan finds new states at all sites; without the database, HTTP and the way to the forecasting thread',
  async run({ onProgress }) {
    const cases = [
      { sites: 20, sizes: 5, barMilliseconds: 50 },
      { sites: 200, sizes: 1, barMilliseconds: 300 },
      { sites: 200, sizes: 5 },
    ];
    return benchPlanning({ cases, plans: 300, jobs: 2000 }, { readMilliseconds: cpuMilliseconds, onProgress });
  },
};
