import type { ThreadOptions } from '../forecast/thread-options.ts';
import { LOAD } from '../predict/load/load.ts';
import { READ_BYTES, RUNTIME, WRITTEN_BYTES } from '../predict/quantities.ts';
import type { Config } from './config.ts';
import { readEmbedding } from './read-embedding.ts';

/**
 * What the threads that forecast are started with, as it is configured.
 * @param learnsLast whether the process answers people, whom nobody is to keep waiting who learns
 */
export function threadOptionsOf(config: Config, databaseUrl: string, learnsLast: boolean): ThreadOptions {
  const io = [config.GRIDCAST_IO_PREDICTOR, ...config.GRIDCAST_IO_ALSO_SCORED];
  return {
    databaseUrl,
    predictor: config.GRIDCAST_PREDICTOR,
    alsoScored: config.GRIDCAST_ALSO_SCORED,
    others: {
      [RUNTIME.name]: [config.GRIDCAST_RUNTIME_PREDICTOR, ...config.GRIDCAST_RUNTIME_ALSO_SCORED],
      [READ_BYTES.name]: io,
      [WRITTEN_BYTES.name]: io,
      [LOAD.name]: [config.GRIDCAST_LOAD_PREDICTOR, ...config.GRIDCAST_LOAD_ALSO_SCORED],
    },
    ...readEmbedding(config),
    freshMilliseconds: FRESH_MILLISECONDS,
    handoverSeconds: config.GRIDCAST_HANDOVER_SECONDS,
    learnsAfterMilliseconds: LEARNS_AFTER_MILLISECONDS,
    learnsLast,
    threads: config.GRIDCAST_FORECAST_THREADS,
    mostSites: config.GRIDCAST_FORECAST_SITES,
    mostBytes: MEGABYTE * config.GRIDCAST_FORECAST_MEGABYTES,
  };
}

/** Forecasts may be that old, in wall time, before the store is asked for newer records. */
const FRESH_MILLISECONDS = 250;
/** What is overdue when a process starts, and the first look at every site, come before the learning of pasts. */
const LEARNS_AFTER_MILLISECONDS = 10_000;
const MEGABYTE = 1e6;
