import type { JobRequest } from '../../domain/job.ts';

/**
 * What is read of a job: its script; where only its name and its accounting are known, a text made of them, each field
 * in a line of its own so that it is always found in the same place.
 */
export function jobText(job: JobRequest): string {
  const script = job.program?.script;
  if (script !== null && script !== undefined) return script;
  const { program, user, group, account, queue, processors, requestedWalltimeSeconds } = job;
  const fields = [program?.name, user, group, account, queue, processors, requestedWalltimeSeconds];
  const told = [...fields, program?.workFolder, ...(program?.arguments.slice(0, MOST_ARGUMENTS) ?? [])];
  return told.map((field) => `${field ?? ''}`).join('\n');
}

const MOST_ARGUMENTS = 64;
