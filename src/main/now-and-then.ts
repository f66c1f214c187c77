import { withinTime } from '../domain/deadline.ts';

const KEPT_MILLISECONDS = 5000;
const PATIENCE_MILLISECONDS = 2000;
/** What hangs for so long will hardly come back. */
const GIVEN_UP_MILLISECONDS = 60_000;

/**
 * Reads what many may ask for: at most every five seconds, and one read at a time. Nobody waits for it for longer than
 * two seconds.
 * @returns null when the read failed, or is not there by then
 */
export function nowAndThen<Value>(read: () => Promise<Value>): () => Promise<Value | null> {
  let begunAt = Number.NEGATIVE_INFINITY;
  let newest: Promise<Value | null> = Promise.resolve(null);
  let underWay: typeof newest | null = null;
  return () => {
    const ageMilliseconds = performance.now() - begunAt;
    if (ageMilliseconds > (underWay ? GIVEN_UP_MILLISECONDS : KEPT_MILLISECONDS)) {
      begunAt = performance.now();
      const begun = read()
        .catch(() => null)
        .finally(() => {
          if (underWay === begun) underWay = null;
        });
      newest = begun;
      underWay = begun;
    }
    return withinTime(newest, PATIENCE_MILLISECONDS);
  };
}
