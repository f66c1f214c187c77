import { setTimeout as sleep } from 'node:timers/promises';

/** The end of the last work that was begun for each of those who are asked. */
const LAST = new WeakMap<object, Promise<void>>();

/**
 * Does works one after another that would otherwise be done in vain: each of some plans made at a time makes the others
 * outdated. Nobody waits for long for those before it, so that one that takes its time holds nobody up.
 * @param asked of whom all of them ask
 */
export async function inTurn<Result>(asked: object, work: () => Promise<Result>): Promise<Result> {
  const before = LAST.get(asked) ?? Promise.resolve();
  let leave = () => {};
  const end = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const last = before.then(() => end);
  LAST.set(asked, last);
  const patience = new AbortController();
  const isLate = sleep(LONGEST_WAIT_MILLISECONDS, undefined, { signal: patience.signal }).catch(() => undefined);
  await Promise.race([before, isLate]);
  patience.abort();
  try {
    return await work();
  } finally {
    leave();
  }
}

const LONGEST_WAIT_MILLISECONDS = 1000;
