import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchRows } from '../../main/bench-rows.ts';
import type { Bench } from './bench.ts';

const SITES = 1000;
const COUNTS = [1_000_000, 10_000_000, 50_000_000];

/** How questions to the store grow with the records that there are. */
export const rowsBench: Bench = {
  name: 'rows',
  describe: `${COUNTS.map((count) => count / 1e6).join(', ')} million generated records of ${SITES} sites (or --sites), as many as the disk holds: bytes a record, and what questions to them cost`,
  async run({ sites, onProgress }) {
    const folder = mkdtempSync(join(tmpdir(), 'gridcast-bench-'));
    const rows = [];
    try {
      for (const count of sites.length > 0 ? sites : [SITES]) {
        const figures = await benchRows({
          folder,
          sites: count,
          counts: COUNTS,
          onProgress: (done, most) => onProgress(done, most, `${count} sites`),
        });
        rows.push(...figures.map((row) => ({ sites: count, ...row })));
      }
      return rows;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
