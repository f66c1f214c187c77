import { Unavailable } from '../domain/failures.ts';
import type { NativeJob } from '../domain/site-adapter.ts';

/** An answer about several jobs of which some say what cannot be, as an end that is yet to come. */
export class PartlyBelieved extends Unavailable {
  constructor(
    cause: Unavailable,
    /** What was told of the others, by native id. */
    readonly believed: ReadonlyMap<string, NativeJob>,
    /** Native ids of jobs of which nothing that was told is believed: whether they are there is not known. */
    readonly doubted: ReadonlySet<string>,
  ) {
    super(cause.message, cause.siteSays, { cause, code: cause.code });
  }
}
