import { Rejected, type SiteFailure, Unavailable, Unknown } from '../../src/domain/failures.ts';
import { CommandFailure } from '../shared/command.ts';
import { codeOfWords } from '../shared/fault-code.ts';

/** Nothing reached the controller: it is down, unknown, or our request got no credential. */
const NOT_REACHED =
  /connect failure|Munge encode failed|Failed to access .*munge|auth_g_create|s_p_parse_file|process configuration|configuration source|in standby/i;
/** Words of a connection that had been made, which count more than those about another one that was not. */
const WAS_CONNECTED =
  /send\/recv|Zero Bytes were transmitted|connection (?:reset|closed)|Transport endpoint|Unexpected message received|Message receive failure/i;
/** The controller may have carried the request out before its answer was lost. */
const ANSWER_LOST =
  /timed out|Unable to contact slurm controller|connection refused|Unspecified error|Communication (?:connection|shutdown) failure|missing socket|Insane message length|Message send failure|Protocol authentication error|Authentication failure/i;
/**
 * The answer of a rule of the site (job_submit/lua) that takes no job and names no error, as sbatch prints it and as
 * slurmrestd does: the controller has answered, and there is no job. sbatch prints a reason of the rule's own before.
 */
const REFUSED_BY_RULE = /^(?:sbatch: error: Batch job submission failed: )?Unspecified error$/m;
/**
 * The controller has other things to do; asking again soon helps. Limits on the number of jobs are refusals, for other
 * sites have none.
 */
const BUSY = /controller is busy|Slurm database error/i;

/**
 * What the words after a failed submission mean. Where they are no refusal for certain it may have happened.
 * @param isRefusal whether they are the controller's or its client's own verdict
 */
export function submissionFailure(words: string, isRefusal: boolean): SiteFailure {
  const wasConnected = WAS_CONNECTED.test(words);
  if (NOT_REACHED.test(words) && !wasConnected) {
    const code = codeOfWords(words, 'UNREACHABLE');
    return new Unavailable(`Slurm's controller cannot be reached: ${words}`, words, { code });
  }
  const isLost = wasConnected || ANSWER_LOST.test(isRefusal ? words.replace(REFUSED_BY_RULE, '') : words);
  if (isLost) return new Unknown(`Slurm's controller did not answer: ${words}`, words);
  if (BUSY.test(words)) return new Unavailable(`Slurm takes no jobs for now: ${words}`, words, { code: 'BUSY' });
  if (isRefusal) return new Rejected(`Slurm refused the job: ${words}`, words);
  return new Unknown(`the submission ended without an answer: ${words || 'not a word'}`, words || 'not a word');
}

/** What the words after a failed question mean: in any case nothing has happened. */
export function questionFailure(what: string, words: string): Unavailable {
  const remedy = /accounting storage is disabled/i.test(words)
    ? '; set `accounting` of this site to jobcomp or none'
    : '';
  const code = codeOfWords(words, 'UNREACHABLE');
  return new Unavailable(`${what}: ${words || 'not a word'}${remedy}`, words || 'not a word', { code });
}

/**
 * Whether the words say that there is no such job, or that it has ended, or is somebody else's: not ours to end in any
 * case.
 */
export function isNobodysJob(words: string): boolean {
  return /Invalid job id|already completing or completed|Access\/permission denied|Invalid user id/i.test(words);
}

/**
 * Runs a reader over an answer. @throws Unavailable when it cannot be read, so that nothing is taken from half an
 * answer
 */
export function understood<Answer>(what: string, read: () => Answer): Answer {
  try {
    return read();
  } catch (error) {
    const words = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_EXPLANATION);
    throw new Unavailable(`${what} gave no readable answer: ${words}`, words, { cause: error, code: 'GARBLED' });
  }
}

const LONGEST_EXPLANATION = 300;

/** Whether an answer was longer than it may be, or took longer: half of it may pass. */
export function isTooMuch(error: unknown): boolean {
  const cause = error instanceof Unavailable ? error.cause : undefined;
  if (cause instanceof CommandFailure) return cause.reason === 'OUTPUT_LIMIT' || cause.reason === 'TIMED_OUT';
  return cause instanceof Error && 'code' in cause && TOO_MUCH.has(String(cause.code));
}

const TOO_MUCH = new Set(['TOO_LARGE', 'TIMED_OUT']);
