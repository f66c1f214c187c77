import type { EpochSeconds } from '../../domain/clock.ts';

/** Whether a job may be at a site under a key that a restored database does not know. */
export function isSought({ soughtSince = null }: { readonly soughtSince?: EpochSeconds | null }): boolean {
  return soughtSince !== null;
}
