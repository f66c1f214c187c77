import { setTimeout as sleep } from 'node:timers/promises';
import type { JobRecord } from '../domain/job.ts';
import { createForecaster } from '../forecast/create-forecaster.ts';
import type { Forecaster } from '../forecast/forecaster.ts';
import { Timeline } from '../predict/past/timeline.ts';
import { checkpointBytes, copyCheckpoint } from '../store/checkpoints.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { deployMigrations } from '../store/migrate.ts';
import { saveRecords } from '../store/records.ts';
import { createSite, saveSnapshot } from '../store/sites.ts';
import { claimTurn } from '../store/turns.ts';
import { readConfig } from './config.ts';
import { startLocalPostgres } from './embedded-postgres.ts';

/** What a process that starts is measured with. */
export interface RestoreOptions {
  readonly folder: string;
  /** How many; one of them is learned. */
  readonly sites: number;
  /** Of each of them alike, in the order of submission; all over but those that nobody has told the end of. */
  readonly records: readonly JobRecord[];
  readonly processors: number;
  onProgress(done: number, total: number, note: string): void;
}

/** What came of it. */
export interface RestoreFigures {
  /** CPU seconds that living through one site's past took its owner. */
  readonly livedCpuSeconds: number;
  readonly checkpointMegabytes: number;
  /** From the first question about each site to its answer, by a process that has just started; rising. */
  readonly firstAnswerMilliseconds: readonly number[];
  readonly cpuSecondsPerSite: number;
  /** Of what the process holds in memory, how much more with the sites than without. */
  readonly megabytesPerSite: number;
  /** Whether the one that started forecast what the owner had, to the last digit. */
  readonly isAlike: boolean;
}

/**
 * One process learns one site; the others are copies with copies of its checkpoint. Then a process that has just
 * started is asked about each of them once, one after the other.
 */
export async function benchRestore(options: RestoreOptions): Promise<RestoreFigures> {
  const postgres = await startLocalPostgres({ folder: options.folder, disposable: false });
  try {
    const url = await postgres.database('bench');
    await deployMigrations(url, { ...readConfig().environment });
    const database = openDatabase(url, 2);
    try {
      return await measure(database, options);
    } finally {
      await database.close();
    }
  } finally {
    await postgres.stop();
  }
}

async function measure(database: Database, options: RestoreOptions): Promise<RestoreFigures> {
  const first = await fillSite(database, options, 0);
  const now = options.records.at(-1)?.submitAt ?? 0;
  const owner = started(database);
  options.onProgress(0, options.sites, 'one process learns one site');
  const livedCpuSeconds = await untilKept(database, owner, first);
  const learned = await ask(owner, first, now);
  await owner.close();
  const siteIds = [first];
  for (let i = 1; i < options.sites; i++) {
    siteIds.push(await fillSite(database, options, i));
    await copyCheckpoint(database.db, first, siteIds[i] as string);
    options.onProgress(i, options.sites, 'records');
  }
  const checkpointMegabytes = (await checkpointBytes(database.db, first)) / MEGABYTE;
  const before = { cpu: process.cpuUsage(), bytes: process.memoryUsage().rss };
  const reader = started(database);
  const firstAnswerMilliseconds: number[] = [];
  let isAlike = true;
  for (const [i, siteId] of siteIds.entries()) {
    const askedAt = performance.now();
    const said = await ask(reader, siteId, now);
    firstAnswerMilliseconds.push(performance.now() - askedAt);
    isAlike &&= JSON.stringify(said) === JSON.stringify(learned);
    options.onProgress(i + 1, options.sites, 'a process that has just started');
  }
  const { user, system } = process.cpuUsage(before.cpu);
  const bytes = process.memoryUsage().rss - before.bytes;
  await reader.close();
  return {
    livedCpuSeconds,
    checkpointMegabytes,
    firstAnswerMilliseconds: firstAnswerMilliseconds.sort((a, b) => a - b),
    cpuSecondsPerSite: (user + system) / 1e6 / options.sites,
    megabytesPerSite: bytes / MEGABYTE / options.sites,
    isAlike,
  };
}

/** A site with its records and its newest snapshot. @returns its id */
async function fillSite(database: Database, { records, processors }: RestoreOptions, i: number): Promise<string> {
  const timeline = new Timeline(processors);
  for (const record of records) timeline.observe(record);
  const site = { name: `site-${i}`, adapter: 'simulator', configuration: {}, now: 0 };
  const { id } = await createSite(database.db, site);
  const turn = await claimTurn(database.db, 'Site', id, { milliseconds: 600_000, holder: null });
  if (!turn) throw new Error('nobody got the turn of a site that was just made');
  await database.transaction((tx) => saveRecords(tx, id, records), LOAD_MILLISECONDS);
  await saveSnapshot(database.db, turn, timeline.snapshotAt(records.at(-1)?.submitAt ?? 0));
  return id;
}

function started({ url }: Database): Forecaster {
  const options = { databaseUrl: url, predictor: PREDICTOR, alsoScored: [], freshMilliseconds: 1000 };
  return createForecaster(options, (error) => {
    throw error;
  });
}

/** Waits until the owner has lived through a site's past and kept what came of it. @returns CPU seconds that took */
async function untilKept(database: Database, owner: Forecaster, siteId: string): Promise<number> {
  const before = process.cpuUsage();
  while ((await owner.stateOf(siteId)).isLearning) await sleep(POLL_MILLISECONDS);
  const { user, system } = process.cpuUsage(before);
  while ((await checkpointBytes(database.db, siteId)) === 0) await sleep(POLL_MILLISECONDS);
  return (user + system) / 1e6;
}

function ask(forecaster: Forecaster, siteId: string, now: number) {
  const job = { queue: null, user: null, processors: 32, requestedWalltimeSeconds: 7200 };
  return forecaster.forecastWaits(
    siteId,
    [0, 600, 7200].map((lead) => ({ ...job, submitAt: now + lead, isOneOfMany: true })),
  );
}

const PREDICTOR = 'wait/gridcast';
const MEGABYTE = 1e6;
const LOAD_MILLISECONDS = 300_000;
const POLL_MILLISECONDS = 500;
