import type { FaultCode } from '../../src/domain/failures.ts';

/** What the words of a failure are about, where they say so plainly. */
export function codeOfWords(words: string, otherwise: FaultCode): FaultCode {
  if (UNREADABLE_FILE.test(words)) return 'MISCONFIGURED';
  if (HOST_KEY.test(words)) return 'HOST_KEY';
  if (AUTHENTICATION.test(words) || NOT_LET_IN.test(words)) return 'AUTHENTICATION';
  return MISCONFIGURED.test(words) ? 'MISCONFIGURED' : otherwise;
}

const AUTHENTICATION =
  /Permission denied|authentication|Munge (?:encode|decode) failed|expired token|no mutual signature/i;
/** Words of our own runners of an account that there is not, or that may run nothing. */
const NOT_LET_IN = /(?:^|: )(?:sudo|its login shell) lets nothing run/;
const UNREADABLE_FILE = /is named by the configuration and cannot be read/;
const HOST_KEY = /not the one on record/i;
const MISCONFIGURED =
  /could not be (?:run|started)|Bad configuration option|bad configuration options|s_p_parse_file|process configuration|configuration source/i;
