import { Rejected, SiteFailure, Unavailable, Unknown } from '../domain/failures.ts';
import type { JobSpec } from '../domain/job.ts';

/**
 * The failure of a submission without what its site, or a program on the way there, quotes of the job's script and
 * arguments. The very same one where nothing of them is in it.
 */
export function withoutJobText(error: unknown, spec: Pick<JobSpec, 'script' | 'arguments'>): unknown {
  const told = error instanceof Error ? error.message : String(error);
  const says = error instanceof SiteFailure ? error.siteSays : told;
  const texts = [spec.script, ...spec.arguments];
  const [message, siteSays] = [told, says].map((words) => hidden(words.slice(0, LONGEST_WORDS), texts)) as [
    string,
    string,
  ];
  const isCauseClean = hidden(causesOf(error).slice(0, LONGEST_WORDS), texts) === causesOf(error);
  if (message === told && siteSays === says && isCauseClean) return error;
  if (!(error instanceof SiteFailure)) return new Unknown(message, siteSays, { code: 'ADAPTER_FAILED' });
  const Failure = { final: Rejected, transient: Unavailable, unknown: Unknown }[error.kind];
  return new Failure(message, siteSays, { code: error.code });
}

/** Everything that a log would tell of an error and of what caused it. */
function causesOf(error: unknown): string {
  const told: string[] = [];
  let cause = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && cause instanceof Error; depth++) {
    told.push(cause.message);
    cause = cause.cause;
  }
  return [...told, typeof cause === 'string' ? cause : ''].join('\n');
}

/** Words without whole lines and telling words of some texts. */
function hidden(words: string, texts: readonly string[]): string {
  let left = words;
  for (const line of texts.flatMap((text) => text.split(/[\r\n]+/)).map((text) => text.trim())) {
    if (line.length >= LEAST_LINE && left.includes(line)) left = left.replaceAll(line, HIDDEN);
  }
  return left.replace(WORD, (word) => (isTelling(word) && texts.some((text) => text.includes(word)) ? HIDDEN : word));
}

/** Whether a word is more than one of a language: names of queues, options and units are to be read in a refusal. */
function isTelling(word: string): boolean {
  return word.length >= LEAST_WORD && (/[a-z][A-Z]/.test(word) || (/\d/.test(word) && /[A-Za-z]/.test(word)));
}

const WORD = /[\p{L}\p{N}_]+/gu;
const HIDDEN = '(text of the job)';
const LEAST_LINE = 8;
const LEAST_WORD = 6;
const LONGEST_WORDS = 4096;
const DEEPEST_CAUSE = 5;
