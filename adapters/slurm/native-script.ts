import type { JobSpec } from '../../src/domain/job.ts';
import { selfContained, wrapScript } from '../shared/self-contained.ts';

/**
 * The script that Slurm is given for a job. Lines that begin with `#SBATCH` (or `#PBS`, `#BSUB`, which sbatch heeds too) must not change
 * what was asked for, so a script that has some is wrapped into one that has none where sbatch looks. Arguments are inside: sbatch takes
 * none for a script from its standard input, and slurmrestd 22.05 dies of them.
 */
export function nativeScript(spec: JobSpec): string {
  const script = hasDirectives(spec.script) ? wrapScript(spec.script, spec.arguments) : selfContained(spec);
  return script.includes('\r\n') ? hideCarriageReturns(script) : script;
}

/**
 * sbatch refuses every script with a carriage return before a line feed, wherever it stands: another control character stands in for
 * them until the job runs. A script whose first line ends with one is for no interpreter and stays as it is, to be refused.
 */
function hideCarriageReturns(script: string): string {
  const standIn = CONTROL_CHARACTERS.find((character) => !script.includes(character));
  if (standIn === undefined || /^[^\n]*\r\n/.test(script)) return script;
  const octal = standIn.charCodeAt(0).toString(8).padStart(3, '0');
  return wrapScript(script.replaceAll('\r', standIn), [], `tr '\\${octal}' '\\r'`);
}

/** Those that no text means anything by. */
const CONTROL_CHARACTERS = [1, 2, 3, 4, 5, 6, 14, 15, 16, 17, 18, 19, 20].map((code) => String.fromCharCode(code));

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
