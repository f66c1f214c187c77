import type { JobSpec } from '../../src/domain/job.ts';
import { hereDocument, interpreterOf, MAKE_TEMPORARY_FILE, wrapperShell } from '../../src/domain/script-text.ts';
import { shellWords } from '../../src/domain/shell-word.ts';

/**
 * A job's script with its arguments inside, for batch systems that take a script but lose or misread its arguments.
 * Without arguments it is the script itself.
 */
export function selfContained({ script, arguments: words }: JobSpec): string {
  return words.length === 0 ? script : wrapScript(script, words);
}

/** The job's wrapper, which tells it how many processors it has been given: `GRIDCAST_PROCESSORS`. */
export function wrapJob(
  { script, arguments: words, processors }: Pick<JobSpec, 'script' | 'arguments' | 'processors'>,
  prologue: readonly string[] = [],
): string {
  return wrapScript(script, words, { prologue: [...prologue, `export GRIDCAST_PROCESSORS=${processors}`] });
}

/** What a wrapper does besides. */
export interface WrapperOptions {
  /** Lines of POSIX sh that come first. */
  readonly prologue?: readonly string[];
  /** The command that lays the script down as it is meant, where some characters had to be written differently. */
  readonly decode?: string;
}

/**
 * A script and its arguments as one POSIX sh script. It lays the script down in a temporary file (in TMPDIR or /tmp),
 * opens it, removes it and becomes its interpreter: exit status, signals and standard streams are the script's own,
 * `$0` is /dev/fd/9. It ends with 125 when the file cannot be laid down. What the script's first lines say to a batch
 * system is not heard.
 */
export function wrapScript(
  script: string,
  words: readonly string[],
  { prologue = [], decode = 'cat' }: WrapperOptions = {},
): string {
  const payload = hereDocument(script);
  return [
    `#!${wrapperShell(script).join(' ')}`,
    ...prologue,
    `gridcast_script=$(${MAKE_TEMPORARY_FILE}) || exit 125`,
    `${decode} > "$gridcast_script" ${payload.redirection} || exit 125`,
    payload.lines,
    'exec 9< "$gridcast_script" || exit 125',
    'rm -f "$gridcast_script"',
    `exec ${shellWords([...interpreterOf(script), '/dev/fd/9', ...words])}`,
    '',
  ].join('\n');
}
