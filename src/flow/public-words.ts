import { faultSentence, type SiteFailure } from '../domain/failures.ts';

/**
 * What the owner of a job may be told of a failure: the site's own words where it refused the job, otherwise only what
 * kind of fault it is. A refusal loses the lines by which a client tells of files that it has read.
 */
export function publicWords(failure: SiteFailure): string {
  if (failure.kind !== 'final') return faultSentence(failure.code);
  const lines = failure.siteSays.split(LINE_ENDS).filter((line) => line.trim() !== '' && !QUOTES_A_FILE.test(line));
  return lines.join('; ').slice(0, LONGEST_CHARACTERS) || faultSentence(failure.code);
}

const LINE_ENDS = /[\r\n]+|; (?=\S)/;
/** A path, a line number, or a complaint about an option or a setting, which is how clients speak of configuration. */
const QUOTES_A_FILE =
  /(?:^|[\s"'=(:])~?\/[\w.-]|\bline \d|\bpars(?:e|ing)\b|(?<!node )config|\b(?:bad|unknown|invalid|unrecogni[sz]ed) (?:option|keyword|directive|setting|parameter)/i;
const LONGEST_CHARACTERS = 1000;
