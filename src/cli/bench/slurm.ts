import { existsSync } from 'node:fs';
import { benchSlurmSubmissions } from '../../main/bench-slurm.ts';
import type { Bench } from './bench.ts';

/** What the adapter adds to the cost of handing a job to Slurm. */
export const slurmBench: Bench = {
  name: 'slurm',
  describe:
    'submissions to the sites of --slurm FILE..., by the adapter and by bare sbatch or HTTP in turn, 8 at once; median rates and overhead',
  async run({ seconds, slurm, onProgress }) {
    const files = slurm.filter((file) => existsSync(file));
    if (files.length === 0) {
      return [
        {
          name: 'skipped',
          reason: `needs --slurm FILE with a Slurm site's configuration; ${slurm.join(', ') || 'none'} is not there`,
        },
      ];
    }
    const rows = [];
    for (const [index, file] of files.entries()) {
      onProgress(index, files.length, file);
      rows.push(await benchSlurmSubmissions(file, seconds));
    }
    return rows;
  },
};
