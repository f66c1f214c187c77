/**
 * The queue store does not know a wake-up any more that was in hand, as one that was emptied or started again without
 * its keys. The rows have what is lost, and the sweeper brings it back.
 */
export class LostWakeUp extends Error {
  override readonly name = 'LostWakeUp';
  readonly code = 'LOST';
}

/** An error of BullMQ as a LostWakeUp; what is of something else stays what it is. */
export function asLostWakeUp(error: Error): Error {
  const { code } = error as { readonly code?: unknown };
  const isLost = error.name === 'Error' && (LOST_CODES.has(code) || NOT_RENEWED.test(error.message));
  return isLost ? new LostWakeUp(error.message) : error;
}

/** BullMQ's own: the job is not there, or its lock is not, or is somebody else's. */
const LOST_CODES: ReadonlySet<unknown> = new Set([-1, -2, -6]);
const NOT_RENEWED = /^could not renew lock for job/;
