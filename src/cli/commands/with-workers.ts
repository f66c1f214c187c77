import type { PartsComputer } from '../../experiment/run/part-threads.ts';
import { NoWorkersError, PartFault, type PartFaultKind } from '../../spread/part-jobs.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { readable } from './offline.ts';

/** Who computes the parts of an experiment. */
export interface WorkersOptions {
  /** Address of the Redis that experiment workers take parts from; this machine computes them where it is left out. */
  readonly workers?: string;
  readonly partTime: number;
  readonly patience: number;
}

/**
 * Runs offline work by experiment workers, where they are told.
 * @throws CliFailure for a mistake of the caller, or workers that are not there
 */
export async function withWorkers<T>(
  { workers, partTime: partSeconds, patience: patienceSeconds }: WorkersOptions,
  work: (computer?: PartsComputer) => Promise<T>,
): Promise<T> {
  if (workers === undefined) return readable(() => work());
  const url = redisUrlOf('--workers', workers);
  const { openMachines } = await import('../../spread/machines.ts');
  const onWorkers = (areThere: boolean) =>
    void process.stderr.write(`  ${areThere ? 'a worker is there' : `no worker is there yet; ${START}`}\n`);
  return reachable(async () => {
    const machines = await openMachines({ url, partSeconds, patienceSeconds, onWorkers });
    try {
      return await readable(() => work(machines.compute));
    } finally {
      await machines.close();
    }
  });
}

/** An address of a Redis. @throws CliFailure for another text */
export function redisUrlOf(what: string, text: string): string {
  if (URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol)) return text;
  throw new CliFailure(`${what} is no address of a Redis`, EXIT.usage, 'write for example redis://:PASSWORD@head:6379');
}

/** Runs work that needs a Redis and workers. @throws CliFailure where they are not there, or cannot do it */
export async function reachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoWorkersError) throw new CliFailure(error.message, EXIT.unreachable, START);
    if (error instanceof PartFault) throw new CliFailure(error.message, EXIT.caller, REMEDIES[error.kind] ?? null);
    throw error;
  }
}

const START = 'start `gridcast experiment-worker URL --traces FOLDER` on machines that reach that Redis';
const REMEDIES: Readonly<Partial<Record<PartFaultKind, string>>> = {
  FILE: 'copy the file to every worker; one machine computes it without --workers',
  BUILD: 'install the same version everywhere, and start the workers again',
  LATE: 'allow more with --part-time',
};
