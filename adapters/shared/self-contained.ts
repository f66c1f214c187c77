import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import { hereDocument, interpreterOf, MAKE_TEMPORARY_FILE, wrapperShell } from '../../src/domain/script-text.ts';
import { isSettable, READ_ONLY_VARIABLES } from '../../src/domain/shell-variables.ts';
import { shellWord, shellWords } from '../../src/domain/shell-word.ts';

/**
 * The job's wrapper, which gives it the variables that it asks for and tells it how many processors it has been given:
 * `GRIDCAST_PROCESSORS`. It goes to the job's work folder itself: what a batch system makes of one that is not there,
 * or that nobody may write to, differs from one to the other.
 * @throws Rejected naming a variable that no shell can set
 */
export function wrapJob(
  {
    script,
    arguments: words,
    processors,
    outputFolder,
    workFolder,
    environment = {},
  }: Pick<JobSpec, 'script' | 'arguments' | 'processors' | 'environment' | 'outputFolder' | 'workFolder'>,
  prologue: readonly string[] = [],
  epilogue?: readonly string[],
): string {
  const own = { ...environment, GRIDCAST_PROCESSORS: String(processors) };
  return wrapScript(script, words, {
    prologue: [...streamLines(outputFolder), ...folderLines(workFolder), ...prologue],
    exports: exportLines(own),
    ...(epilogue && { epilogue }),
  });
}

/** Lines of POSIX sh that set variables, whatever is in their values. */
function exportLines(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => {
    if (isSettable(name)) return `export ${name}=${shellWord(value)}`;
    const shown = JSON.stringify(name.slice(0, LONGEST_QUOTE));
    throw new Rejected(
      `environment has a variable ${shown} that no shell can set; a name is of letters, digits and _, not beginning with a digit, and none of ${READ_ONLY_VARIABLES.join(', ')}`,
    );
  });
}

const LONGEST_QUOTE = 80;

/** What a wrapper does besides. */
export interface WrapperOptions {
  /** Lines of POSIX sh that come first. */
  readonly prologue?: readonly string[];
  /** Lines of POSIX sh that set what the script alone shall find: the wrapper's own commands are run without them. */
  readonly exports?: readonly string[];
  /** The command that lays the script down as it is meant, where some characters had to be written differently. */
  readonly decode?: string;
  /**
   * Lines of POSIX sh that come last, with the script's exit status in `gridcast_status`: 128 and the number of a
   * signal that ended it. The wrapper then stays the script's parent, and outlives signals that both of them get.
   */
  readonly epilogue?: readonly string[];
}

/**
 * A script and its arguments as one POSIX sh script. It lays the script down in a temporary file (in TMPDIR or /tmp),
 * opens it, removes it and becomes its interpreter, unless something follows: exit status, signals and standard streams
 * are the script's own.
 * `$0` is /proc/PID/fd/9, which leads its children on the same node to it too, as long as it runs; /dev/fd/9 where
 * there is no /proc. It ends with 125 when the file cannot be laid down. What the script's first lines say to a batch
 * system is not heard.
 */
export function wrapScript(
  script: string,
  words: readonly string[],
  { prologue = [], exports = [], decode = 'cat', epilogue }: WrapperOptions = {},
): string {
  const payload = hereDocument(script);
  const begin = ['exec', shellWords(interpreterOf(script)), '"$gridcast_script"', shellWords(words)];
  const command = begin.filter(Boolean).join(' ');
  return [
    `#!${wrapperShell(script).join(' ')}`,
    ...prologue,
    `gridcast_script=$(${MAKE_TEMPORARY_FILE}) || exit 125`,
    `${decode} > "$gridcast_script" ${payload.redirection} || exit 125`,
    payload.lines,
    'exec 9< "$gridcast_script" || exit 125',
    'rm -f "$gridcast_script"',
    ...exports,
    'gridcast_script=/proc/$$/fd/9; [ -r "$gridcast_script" ] || gridcast_script=/dev/fd/9',
    ...(epilogue ? [...besideWrapper(command), ...epilogue] : [command]),
    '',
  ].join('\n');
}

/** A job without the folder that it asks for ends with 125, and what the shell says of it is in the job's stderr. */
function folderLines(folder: string | undefined): string[] {
  return folder === undefined ? [] : [`cd ${shellWord(folder)} || exit 125`];
}

/** Lines of POSIX sh that run the command in a process of its own. What a shell says of its end is not the script's. */
function besideWrapper(command: string): string[] {
  return [
    'trap : HUP INT TERM USR1 USR2 XCPU',
    'exec 8>&2 2> /dev/null',
    `( exec 2>&8 8>&-; ${command} )`,
    'gridcast_status=$?',
    'exec 2>&8 8>&-',
  ];
}

/**
 * Lines of POSIX sh that lead the streams into files of that folder, which they make. A job that was started once more
 * writes on behind what it wrote. Where no such files can be made the streams stay as the batch system gave them.
 */
function streamLines(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const word = folder.startsWith('~/') ? `"\${HOME:-/dev/null}"${shellWord(folder.slice(1))}` : shellWord(folder);
  return [
    `gridcast_output=${word}`,
    'if (umask 077; mkdir -p "$gridcast_output" && : >> "$gridcast_output/stdout" && : >> "$gridcast_output/stderr") 2> /dev/null; then',
    'exec >> "$gridcast_output/stdout" 2>> "$gridcast_output/stderr"',
    'fi',
    'unset gridcast_output',
  ];
}
