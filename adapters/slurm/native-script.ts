import type { JobSpec } from '../../src/domain/job.ts';
import { selfContained, wrapScript } from '../shared/self-contained.ts';

/**
 * The script that Slurm is given for a job. Lines that begin with `#SBATCH` (or `#PBS`, `#BSUB`, which sbatch heeds too) must not change
 * what was asked for, so a script that has some is wrapped into one that has none where sbatch looks. Arguments are inside: sbatch takes
 * none for a script from its standard input, and slurmrestd 22.05 dies of them.
 */
export function nativeScript(spec: JobSpec): string {
  return hasDirectives(spec.script) ? wrapScript(spec.script, spec.arguments) : selfContained(spec);
}

/**
 * Whether sbatch would take orders from the script: it heeds directives up to the first line that is neither empty nor a comment.
 * Source: man sbatch, section DESCRIPTION.
 */
export function hasDirectives(script: string): boolean {
  const lines = script.split('\n');
  const firstCommand = lines.findIndex((line) => /^\s*[^\s#]/.test(line));
  const head = firstCommand < 0 ? lines : lines.slice(0, firstCommand);
  return head.some((line) => /^#(?:SBATCH|PBS|BSUB)/.test(line));
}
