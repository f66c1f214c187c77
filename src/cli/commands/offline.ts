import type { WorkloadSource } from '../../experiment/simulate.ts';
import { WorkloadError } from '../../sim/workload-error.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { assertReadable } from '../files.ts';

/** Which jobs of a trace are taken. */
export interface RangeOptions {
  readonly from?: number;
  readonly jobs?: number;
}

/** Where the jobs come from: a log, or without one a generated workload. */
export interface SourceOptions extends RangeOptions {
  readonly trace?: string;
  readonly processors?: number;
  readonly load: number;
  readonly seed?: number;
}

const GENERATED_JOBS = 10_000;
const GENERATED_PROCESSORS = 128;

/** The workload that was told. @throws CliFailure for a log that cannot be read */
export function sourceOf({ trace, seed = 1, load, processors, jobs }: SourceOptions): WorkloadSource {
  if (trace !== undefined) {
    assertReadable(trace, 'log');
    return { trace };
  }
  const size = { processors: processors ?? GENERATED_PROCESSORS, jobs: jobs ?? GENERATED_JOBS };
  return { generated: { seed, load, ...size } };
}

/** The range that was told, undefined for the whole trace. */
export function rangeOf({ from, jobs }: RangeOptions): { from: number; count: number } | undefined {
  if (from === undefined && jobs === undefined) return undefined;
  return { from: from ?? 0, count: jobs ?? Number.MAX_SAFE_INTEGER };
}

/** A word that must be one of those known. @throws CliFailure listing them */
export function knownName<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const known = names.find((name) => name === text);
  if (known) return known;
  throw new CliFailure(`--${option} "${text}" is not known`, EXIT.usage, `write one of: ${names.join(', ')}`);
}

/** Runs offline work; a log that is of no use, or a name or number that cannot be, is the caller's mistake. */
export async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) throw new CliFailure(error.message, EXIT.usage);
    throw error instanceof WorkloadError ? new CliFailure(error.message, EXIT.caller) : error;
  }
}
