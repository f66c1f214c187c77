import { existsSync } from 'node:fs';
import { benchSimulator } from '../../experiment/bench/bench-simulator.ts';
import type { Bench } from './bench.ts';
import { cpuMilliseconds } from './cpu-time.ts';

/** Speed of parsing and simulating real logs, in CPU time of this process. */
export const simulatorBench: Bench = {
  name: 'simulator',
  describe: 'parsing and simulating SDSC-SP2 and HPC2N from --traces DIR, CPU time, best of five; cost by queue length',
  async run({ traces, onProgress }) {
    if (traces === null || !existsSync(traces)) {
      return [
        { name: 'skipped', reason: `needs --traces DIR with the archive's logs; ${traces ?? 'none'} is not there` },
      ];
    }
    return benchSimulator(traces, {
      readMilliseconds: cpuMilliseconds,
      readResidentBytes: () => process.memoryUsage.rss(),
      onProgress,
    });
  },
};
