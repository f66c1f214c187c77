import { Rejected, type SiteFailure, Unavailable, Unknown } from '../../src/domain/failures.ts';
import type { CommandResult } from '../shared/command.ts';

/**
 * Words of a connection that had been made before it was lost: what was sent over it may have arrived. The client then
 * tries to connect anew, so that its last words may be those of a master that was never reached.
 */
const WAS_CONNECTED = /got (?:read|write) error|closing "|reset by peer|failed receiving|timeout|gdi request/i;
/** Words after which the master was not reached, unless those before stand beside them. */
const NOT_REACHED =
  /Connection refused|can't resolve|No route to host|SGE_ROOT.* (?:not set|doesn't exist)|could not read.*bootstrap/i;
/** Words that do not say how far it came. */
const IN_DOUBT = /unable to (?:send message to|contact|receive)/i;
/** Words of a refusal that a later moment may lift. */
const FULL_FOR_NOW = /try again|not enough memory|quota/i;

/** What the words after a failed submission mean. Where they are no refusal for certain it may have happened. */
export function submissionFailure(words: string): SiteFailure {
  const down = unreachable(words);
  if (down) return down;
  if (WAS_CONNECTED.test(words) || IN_DOUBT.test(words)) return new Unknown(`qsub lost its master: ${words}`, words);
  if (FULL_FOR_NOW.test(words)) {
    return new Unavailable(`the cell takes no more jobs now: ${words}`, words, { code: 'BUSY' });
  }
  return new Rejected(`the cell refused the job: ${words}`, words);
}

/** The failure when the master was certainly not reached, null otherwise. */
export function unreachable(words: string): Unavailable | null {
  if (WAS_CONNECTED.test(words) || !NOT_REACHED.test(words)) return null;
  return new Unavailable(`the cell's master cannot be reached: ${words}`, words);
}

/** Whether the words are about the way to the master, and say nothing of what it thinks. */
export function isAboutTheWay(words: string): boolean {
  return [WAS_CONNECTED, NOT_REACHED, IN_DOUBT].some((pattern) => pattern.test(words));
}

/** What a command said, on one line. */
export function wordsOf({ stdout, stderr }: CommandResult): string {
  return `${stderr}\n${stdout}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== 'Exiting.')
    .join('; ');
}
