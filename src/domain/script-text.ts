/**
 * Words of the command that runs a script: as Linux reads a `#!` line, a path and at most one argument; /bin/sh without
 * one.
 */
export function interpreterOf(script: string): readonly string[] {
  const [, path, argument] = /^#![ \t]*([^ \t\n]+)(?:[ \t]+([^\n]*?))?[ \t]*(?:\n|$)/.exec(script) ?? [];
  if (path === undefined) return ['/bin/sh'];
  return argument ? [path, argument] : [path];
}

/**
 * Words of the shell for a POSIX sh script around a script: the script's own bash where it has one, for other shells
 * drop the functions that bash exports (`module`) on their way through; /bin/sh otherwise. They are plain words that no
 * shell reads anything into.
 */
export function wrapperShell(script: string): readonly string[] {
  const [path = '/bin/sh', argument] = interpreterOf(script);
  if (/^\/(?:[\w.+-]+\/)*bash$/.test(path)) return [path];
  const isFound = path === '/usr/bin/env' && /^(?:-S +)?bash(?: |$)/.test(argument ?? '');
  return isFound ? [path, 'bash'] : ['/bin/sh'];
}

/** A text as a here-document that a POSIX shell expands nothing in. A last line without a line feed gets one. */
export interface HereDocument {
  /** What a command ends with to read the document. */
  readonly redirection: string;
  /** The lines after the command's, the closing one included, without a line feed at the end. */
  readonly lines: string;
}

/** Always the same for the same text, which must not contain NUL. */
export function hereDocument(text: string): HereDocument {
  const delimiter = delimiterFor(text);
  const body = text.endsWith('\n') || text === '' ? text : `${text}\n`;
  return { redirection: `<<'${delimiter}'`, lines: body + delimiter };
}

/** A line that the text does not contain. */
function delimiterFor(text: string): string {
  let number = 0;
  while (text.includes(`GRIDCAST_END_OF_SCRIPT_${number}_`)) number++;
  return `GRIDCAST_END_OF_SCRIPT_${number}_`;
}

/** Shell words that make a temporary file and tell its name: in TMPDIR, or in /tmp where that is not set or gone. */
export const MAKE_TEMPORARY_FILE = `mktemp "\${TMPDIR:-/tmp}/gridcast.XXXXXX" 2>/dev/null || mktemp /tmp/gridcast.XXXXXX`;
