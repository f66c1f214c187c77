import { CallerError } from '../../domain/failures.ts';

/** Things that callers name by id. */
export type Noun = 'site' | 'job' | 'reservation' | 'co-allocation' | 'import' | 'group';

/**
 * The same error whether an id is malformed, unknown or another tenant's: what a caller may not see does not exist for
 * it.
 */
export function notFound(noun: Noun, field: string): CallerError {
  const whose = noun === 'site' || noun === 'import' ? '' : ' among yours';
  return new CallerError('NOT_FOUND', field, `there is no such ${noun}${whose}; check the id`);
}
