import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** Lets those who ask a thread go first, as long as what it learns beside them gets its share. */
export class AskersFirst {
  /** @param isAsked whether somebody waits for an answer of this thread */
  constructor(
    private readonly isAsked: () => boolean,
    private readonly mostMilliseconds = GIVEN_MILLISECONDS,
  ) {}

  /** To be waited for after each few milliseconds of learning: until nobody asks, or long enough has been given. */
  async giveWay(): Promise<void> {
    const untilAt = performance.now() + this.mostMilliseconds;
    await setImmediate();
    while (this.isAsked() && performance.now() < untilAt) await sleep(1);
  }
}

/** A past is lived through by ten milliseconds, so that it gets a fifth of the thread at the least. */
const GIVEN_MILLISECONDS = 40;
