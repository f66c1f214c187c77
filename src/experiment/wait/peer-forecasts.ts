import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { QUANTILE_COUNT } from '../../domain/forecast.ts';

/** What another program forecast of one job. */
export interface PeerForecast {
  readonly pointSeconds: number;
  /** The percentiles 1 to 99; infinite where it tells none. */
  readonly quantileSeconds: readonly number[];
}

/**
 * Another program's forecasts from a CSV file: a column `job` (the log's own job number), a column `point` and columns
 * `p1` to `p99` of which some may be missing, in seconds. Percentiles between two that are there are drawn straight
 * between them, from 0 at 0; those above the highest are that one.
 * @param pathOf where this machine has the file
 * @throws RangeError for a file that cannot be read, or is none of that
 */
export function readPeer(file: string, pathOf = (named: string): string => named): ReadonlyMap<string, PeerForecast> {
  const rows = rowsOf(file, pathOf(file));
  const levels = levelsOf(rows[0] ?? {}, file);
  const forecasts = new Map<string, PeerForecast>();
  for (const [index, row] of rows.entries()) {
    const job = numberOf(row, 'job', file, index).toString();
    if (forecasts.has(job)) {
      throw new RangeError(`parameter peer: row ${index + 1} of ${file} is of job ${job}, which a row before it is of`);
    }
    forecasts.set(job, forecastOf(row, index));
  }
  return forecasts;

  function forecastOf(row: Readonly<Record<string, string>>, index: number): PeerForecast {
    const told = levels.map((level) => [level, numberOf(row, `p${level}`, file, index)] as const);
    const quantileSeconds = allPercentiles(told, `row ${index + 1} of ${file}`);
    return { pointSeconds: numberOf(row, 'point', file, index), quantileSeconds };
  }
}

/** @throws RangeError for a column that is meant to be a percentile and is none of 1 to 99 */
function levelsOf(row: Readonly<Record<string, string>>, file: string): number[] {
  const meant = Object.keys(row).filter((name) => /^p[\s_-]*[\d.]/i.test(name));
  const wrong = meant.find((name) => !/^p[1-9]\d?$/.test(name));
  if (wrong !== undefined) {
    throw new RangeError(`parameter peer: ${file} has a column ${wrong}; percentiles are called p1 to p99`);
  }
  return meant.map((name) => Number(name.slice(1))).sort((one, other) => one - other);
}

function rowsOf(file: string, path: string): Record<string, string>[] {
  try {
    return parse(readFileSync(path), { columns: named, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new RangeError(`parameter peer: ${file} is not a readable CSV: ${(error as Error).message}`);
  }
}

/** @throws Error for a name that two columns have, of which one would be lost */
function named(columns: string[]): string[] {
  const twice = columns.find((name, i) => columns.indexOf(name) < i);
  if (twice !== undefined) throw new Error(`two columns are called ${twice}`);
  return columns;
}

function numberOf(row: Readonly<Record<string, string>>, column: string, file: string, index: number): number {
  const text = row[column];
  if (text === undefined) throw new RangeError(`parameter peer: ${file} has no column ${column}`);
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || value < 0) {
    throw new RangeError(`parameter peer: ${column} of row ${index + 1} of ${file} is "${text}", not a number from 0`);
  }
  return value;
}

/** @throws RangeError where they fall. @param where they are told */
function allPercentiles(told: readonly (readonly [level: number, seconds: number])[], where: string): number[] {
  if (told.length === 0) return new Array(QUANTILE_COUNT).fill(Number.POSITIVE_INFINITY);
  const all: number[] = [];
  let [belowLevel, below] = [0, 0];
  for (const [level, seconds] of told) {
    if (seconds < below) {
      throw new RangeError(`parameter peer: p${level} of ${where} is ${seconds}, less than p${belowLevel}`);
    }
    while (all.length < level)
      all.push(below + ((seconds - below) * (all.length + 1 - belowLevel)) / (level - belowLevel));
    [belowLevel, below] = [level, seconds];
  }
  while (all.length < QUANTILE_COUNT) all.push(below);
  return all;
}
