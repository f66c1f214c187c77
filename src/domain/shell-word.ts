/**
 * A text as one word of a POSIX shell, whatever it contains: the shell reads back exactly these characters. The only
 * way in which text may become part of a command line. The text must not contain NUL, which no shell word can.
 */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A command line that a POSIX shell splits into exactly these words. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
