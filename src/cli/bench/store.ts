import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchRecords } from '../../main/bench-records.ts';
import type { Bench } from './bench.ts';

const RECORDS = 50_000;

/** How fast history goes into the store and comes back out of it. */
export const storeBench: Bench = {
  name: 'store',
  describe: `${RECORDS} records into an embedded PostgreSQL with durability on, again unchanged, and read back in the order of changes`,
  async run({ onProgress }) {
    const folder = mkdtempSync(join(tmpdir(), 'gridcast-bench-'));
    try {
      return await benchRecords(folder, RECORDS, onProgress);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
