import type { JobSpec } from '../../src/domain/job.ts';
import { wrapJob, wrapScript } from '../shared/self-contained.ts';

/**
 * The script that Slurm is given for a job: a wrapper around the job's own with its arguments, because sbatch takes no
 * arguments for a script from its standard input and slurmrestd 22.05 dies of them. sbatch heeds `#SBATCH` (and `#PBS`,
 * `#BSUB`) lines up to the first command, and the wrapper begins with one: such lines of the script do not change what
 * was asked for.
 */
export function nativeScript(spec: JobSpec): string {
  const native = wrapJob(spec, PROLOGUE);
  return native.includes('\r\n') ? hideCarriageReturns(native) : native;
}

/**
 * Makes the environment that of a job handed in at a login shell. `--export=NONE` leaves its mark for srun, which would
 * then start every task with an empty environment; and the job was handed in where it runs, not where Gridcast runs.
 */
const PROLOGUE = ['unset SLURM_EXPORT_ENV SLURM_GET_USER_ENV', 'export SLURM_SUBMIT_DIR="$PWD"'];

/**
 * sbatch refuses every script with a carriage return before a line feed, wherever it stands: another control character
 * stands in for them until the job runs.
 */
function hideCarriageReturns(script: string): string {
  const standIn = CONTROL_CHARACTERS.find((character) => !script.includes(character));
  if (standIn === undefined) return script;
  const octal = standIn.charCodeAt(0).toString(8).padStart(3, '0');
  return wrapScript(script.replaceAll('\r', standIn), [], { decode: `tr '\\${octal}' '\\r'` });
}

/** Those that no text means anything by. */
const CONTROL_CHARACTERS = [1, 2, 3, 4, 5, 6, 14, 15, 16, 17, 18, 19, 20].map((code) => String.fromCharCode(code));
