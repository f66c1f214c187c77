import type { JobRecord } from '../domain/job.ts';
import { openDatabase } from '../store/database.ts';
import { deployMigrations } from '../store/migrate.ts';
import { readRecordsAfter, saveRecords } from '../store/records.ts';
import { createSite } from '../store/sites.ts';
import { readConfig } from './config.ts';
import { startLocalPostgres } from './embedded-postgres.ts';

const ROUNDS = 3;
const BATCH = 5000;

/**
 * Loads records into a database of its own, once as new and once unchanged, and reads them back: median rates of three
 * rounds.
 */
export async function benchRecords(
  folder: string,
  count: number,
  onProgress: (done: number, total: number, note: string) => void,
): Promise<{ name: string; recordsPerSecond: number }[]> {
  const postgres = await startLocalPostgres({ folder, disposable: false });
  try {
    const url = await postgres.database('bench');
    await deployMigrations(url, { ...readConfig().environment });
    const database = openDatabase(url, 2);
    const rates: Record<string, number[]> = { 'new records': [], 'unchanged records': [], 'reading back': [] };
    for (let round = 0; round < ROUNDS; round++) {
      const site = { name: `site-${round}`, adapter: 'simulator', configuration: {}, now: 0 };
      const { id } = await createSite(database.db, site);
      const records = Array.from({ length: count }, (_, n) => recordOf(n));
      const load = () => database.transaction((tx) => saveRecords(tx, id, records), LOAD_MILLISECONDS);
      rates['new records']?.push(await rateOf(count, load));
      rates['unchanged records']?.push(await rateOf(count, load));
      rates['reading back']?.push(
        await rateOf(count, async () => {
          let revision = 0;
          for (;;) {
            const batch = await readRecordsAfter(database.db, id, revision, BATCH);
            revision = batch.at(-1)?.revision ?? revision;
            if (batch.length < BATCH) return;
          }
        }),
      );
      onProgress(round + 1, ROUNDS, site.name);
    }
    await database.close();
    return Object.entries(rates).map(([name, measured]) => ({
      name,
      recordsPerSecond: Math.round(medianOf(measured)),
    }));
  } finally {
    await postgres.stop();
  }
}

const LOAD_MILLISECONDS = 300_000;

function recordOf(n: number): JobRecord {
  const submitAt = 1_000_000 + 60 * n;
  const startAt = submitAt + ((n * 7919) % 90_000);
  const size = { processors: 1 + (n % 64), requestedWalltimeSeconds: 3600 };
  const life = { submitAt, startAt, endAt: startAt + (n % 3600), outcome: 'COMPLETED' } as const;
  return { nativeId: String(n), user: `user${n % 50}`, queue: 'batch', ...size, ...life };
}

async function rateOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (1000 * count) / (performance.now() - startedAt);
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
