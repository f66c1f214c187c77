import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/**
 * To be waited for after each few milliseconds of learning: lets those who ask the thread go first, until nobody does,
 * or long enough, so that learning gets its share however much is asked.
 * @param isAsked whether somebody waits for an answer of this thread
 */
export async function giveWay(isAsked: () => boolean, mostMilliseconds = GIVEN_MILLISECONDS): Promise<void> {
  const untilAt = performance.now() + mostMilliseconds;
  await setImmediate();
  while (isAsked() && performance.now() < untilAt) await sleep(1);
}

/** A past is lived through by ten milliseconds, so that it gets a fifth of the thread at the least. */
const GIVEN_MILLISECONDS = 40;
