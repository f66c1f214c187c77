import { statfs } from 'node:fs/promises';
import type { JobRecord } from '../domain/job.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { deployMigrations } from '../store/migrate.ts';
import { readRecordsAfter, readUse, saveRecords } from '../store/records.ts';
import { listSiteProgress } from '../store/site-progress.ts';
import { createSite } from '../store/sites.ts';
import { readConfig } from './config.ts';
import { startLocalPostgres } from './embedded-postgres.ts';

/** What questions cost when there are so many records. Median milliseconds, of questions about sites taken in turn. */
export interface RowsFigures {
  readonly records: number;
  readonly bytesPerRecord: number;
  readonly newPerSecond: number;
  readonly newestTenMilliseconds: number;
  readonly firstFiveThousandMilliseconds: number;
  readonly newestRevisionsMilliseconds: number;
  readonly useOfOneMilliseconds: number;
  readonly hundredNewMilliseconds: number;
  readonly hundredAgainMilliseconds: number;
}

/** How many records there are to be, and where. */
export interface RowsOptions {
  readonly folder: string;
  readonly sites: number;
  /** In all, growing; what the disk cannot hold is left out. */
  readonly counts: readonly number[];
  onProgress(records: number, most: number): void;
}

/** Fills a database of its own with generated records of many sites, and asks it what forecasters and looks ask. */
export async function benchRows({ folder, sites, counts, onProgress }: RowsOptions): Promise<RowsFigures[]> {
  const postgres = await startLocalPostgres({ folder, disposable: true });
  try {
    const url = await postgres.database('bench');
    await deployMigrations(url, { ...readConfig().environment });
    const database = openDatabase(url, 2);
    const siteIds = await createSites(database, sites);
    const figures: RowsFigures[] = [];
    for (const count of counts) {
      const before = figures.at(-1);
      if (before && !(await fits(folder, before.bytesPerRecord * (count - before.records)))) break;
      const newPerSecond = await fill(database, siteIds, before?.records ?? 0, count, (done) =>
        onProgress(done, counts.at(-1) ?? done),
      );
      figures.push(await figuresOf(database, siteIds, count, newPerSecond));
    }
    await database.close();
    return figures;
  } finally {
    await postgres.stop();
  }
}

async function createSites({ db }: Database, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => `site-${i}`);
  const ids: string[] = [];
  for (const name of names)
    ids.push((await createSite(db, { name, adapter: 'simulator', configuration: {}, now: 0 })).id);
  return ids;
}

/** With as much again for what PostgreSQL writes besides. */
async function fits(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return 2 * bytes < bavail * bsize;
}

/** Record `n` is the next one of site `n` modulo the sites, a minute after the one before. */
async function fill(
  { db }: Database,
  siteIds: readonly string[],
  from: number,
  to: number,
  onProgress: (done: number) => void,
): Promise<number> {
  const startedAt = performance.now();
  for (let done = from; done < to; done += CHUNK_RECORDS) {
    const until = Math.min(to, done + CHUNK_RECORDS);
    await db.$executeRaw`
      INSERT INTO "Record" ("siteId", "nativeId", "submitAt", "user", "queue", "processors", "requestedWalltimeSeconds",
             "startAt", "endAt", "outcome", "account", "cpuSeconds")
      SELECT (${[...siteIds]}::uuid[])[1 + n % ${siteIds.length}::int], n::text, s.at, 'user' || n % 50, 'batch',
             1 + n % 64, 3600, s.at + n * 7919 % 90000 * interval '1 s',
             s.at + (n * 7919 % 90000 + n % 3600) * interval '1 s', 'COMPLETED', 'physics', n % 3600
        FROM generate_series(${done}::bigint, ${until - 1}::bigint) AS n,
             LATERAL (SELECT to_timestamp(1000000 + 60 * (n / ${siteIds.length}::int)) AS at) s`;
    onProgress(until);
  }
  await db.$executeRaw`VACUUM ANALYZE "Record"`;
  return Math.round((1000 * (to - from)) / (performance.now() - startedAt));
}

async function figuresOf(
  database: Database,
  siteIds: readonly string[],
  records: number,
  newPerSecond: number,
): Promise<RowsFigures> {
  const { db } = database;
  const [size] = await db.$queryRaw<{ bytes: number }[]>`SELECT pg_total_relation_size('"Record"')::float8 AS "bytes"`;
  const progress = await listSiteProgress(db);
  const newest = new Map(progress.map(({ siteId, revision }) => [siteId, revision]));
  const siteOf = (turn: number) => siteIds[(turn * 37) % siteIds.length] as string;
  const numberOf = (turn: number) => ((turn * 37) % siteIds.length) + siteIds.length * 17;
  const told = (turn: number, later: number) =>
    Array.from({ length: 100 }, (_, i) => recordOf(numberOf(turn) + siteIds.length * i, siteIds.length, later));
  const write = (turn: number, some: readonly JobRecord[]) =>
    database.transaction((tx) => saveRecords(tx, siteOf(turn), some));
  return {
    records,
    bytesPerRecord: Math.round((size?.bytes ?? Number.NaN) / records),
    newPerSecond,
    newestTenMilliseconds: await medianOf((turn) => {
      const revision = (newest.get(siteOf(turn)) ?? 0) - 10 * siteIds.length;
      return readRecordsAfter(db, siteOf(turn), revision, 5000);
    }),
    firstFiveThousandMilliseconds: await medianOf((turn) => readRecordsAfter(db, siteOf(turn), 0, 5000)),
    newestRevisionsMilliseconds: await medianOf(() => listSiteProgress(db), FEW_QUESTIONS),
    useOfOneMilliseconds: await medianOf((turn) =>
      readUse(db, siteOf(turn), recordOf(numberOf(turn), siteIds.length, 0)),
    ),
    hundredNewMilliseconds: await medianOf((turn) => write(turn, told(turn, 30))),
    hundredAgainMilliseconds: await medianOf((turn) => write(turn, told(turn, 0))),
  };
}

/** As `fill` has it, submitted some seconds later, which makes it another job. */
function recordOf(n: number, sites: number, later: number): JobRecord {
  const submitAt = 1_000_000 + 60 * Math.floor(n / sites) + later;
  const size = { processors: 1 + (n % 64), requestedWalltimeSeconds: 3600 };
  const life = { submitAt, startAt: submitAt + 60, endAt: submitAt + 120, outcome: 'COMPLETED' } as const;
  return { nativeId: String(n), user: `user${n % 50}`, queue: 'batch', ...size, ...life };
}

async function medianOf(ask: (turn: number) => Promise<unknown>, questions = QUESTIONS): Promise<number> {
  const took: number[] = [];
  for (let turn = 0; turn < questions; turn++) {
    const startedAt = performance.now();
    await ask(turn);
    took.push(performance.now() - startedAt);
  }
  const median = took.sort((a, b) => a - b)[questions >> 1] ?? Number.NaN;
  return Math.round(100 * median) / 100;
}

const CHUNK_RECORDS = 250_000;
const QUESTIONS = 101;
const FEW_QUESTIONS = 11;
