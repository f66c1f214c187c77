import { readWorkload } from '../sim/read-workload.ts';
import type { Workload } from '../sim/workload.ts';
import type { PartInput } from './experiment.ts';

/** Reads a log that a parameter names, from where this machine has it. @throws WorkloadError for a bad one */
export function readLogOf({ pathOf }: PartInput, file: string): Promise<Workload> {
  return readWorkload(pathOf?.(file) ?? file);
}
