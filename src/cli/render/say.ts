import colors from './colors.ts';

/** Tells on standard error what is going on; standard output is the result's. */
export function say(text: string): void {
  process.stderr.write(`${colors.dim(`· ${text}`)}\n`);
}
