import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';

/** Longest command line that every system takes, over ssh as one word, with room for what the adapter adds. */
const MAX_ARGUMENT_BYTES = 96 * 1024;

/**
 * Checks that a job's text can reach a batch system as it is, before anything is sent: no NUL, which ends every text
 * there, no half of a surrogate pair, which has no UTF-8, and words that fit a command line.
 * @throws Rejected naming the field and the remedy; nothing has happened
 */
export function assertDeliverable(spec: JobSpec): void {
  const words: [field: string, text: string][] = [
    ['name', spec.name],
    ['queue', spec.queue ?? ''],
    ...spec.arguments.map((text, index): [string, string] => [`arguments.${index}`, text]),
  ];
  const others: [field: string, text: string][] = [
    ['script', spec.script],
    ['workFolder', spec.workFolder ?? ''],
    ...Object.entries(spec.environment ?? {}).map(([name, text]): [string, string] => [`environment.${name}`, text]),
  ];
  for (const [field, text] of [...words, ...others]) assertText(field, text);
  const bytes = words.reduce((total, [, text]) => total + Buffer.byteLength(text), 0);
  if (bytes > MAX_ARGUMENT_BYTES) {
    throw new Rejected(
      `name, queue and arguments have ${bytes} bytes together; at most ${MAX_ARGUMENT_BYTES} fit a command line: put them into the script`,
    );
  }
}

function assertText(field: string, text: string): void {
  const at = text.indexOf('\0');
  if (at >= 0) throw new Rejected(`${field} contains a NUL character at position ${at}; remove it`);
  if (HALF_PAIR.test(text))
    throw new Rejected(`${field} contains half of a surrogate pair, which has no UTF-8; remove it`);
}

const HALF_PAIR = /\p{Surrogate}/u;
