import type { FaultCode } from '../../src/domain/failures.ts';

/** What the words of a failure are about, where they say so plainly. */
export function codeOfWords(words: string, otherwise: FaultCode): FaultCode {
  if (AUTHENTICATION.test(words)) return 'AUTHENTICATION';
  return MISCONFIGURED.test(words) ? 'MISCONFIGURED' : otherwise;
}

const AUTHENTICATION =
  /Permission denied|authentication|not the one on record|Munge (?:encode|decode) failed|expired token|no mutual signature/i;
const MISCONFIGURED =
  /could not be (?:run|started)|Bad configuration option|bad configuration options|s_p_parse_file|process configuration|configuration source/i;
