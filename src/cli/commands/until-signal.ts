import { setTimeout as sleep } from 'node:timers/promises';
import { stopWhenUnread } from '../unread.ts';

/**
 * Resolves at SIGINT, SIGTERM or SIGHUP, or when the parent that spawned us with an IPC channel is gone, or whoever
 * reads what we print.
 */
export function untilSignal(): Promise<void> {
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(signal, () => stop());
    stopWhenUnread(stop);
  });
}

/** What came of starting something. */
export interface Started<T> {
  /** Null where it failed because this process was told to end meanwhile. */
  readonly started: T | null;
  readonly isTold: boolean;
}

/**
 * Starts something that is to be stopped again when this process is told to end, also when that is while it starts.
 * @param told resolves when it is
 * @throws what the start throws unless told
 */
export async function startUnlessTold<T>(told: Promise<void>, start: () => Promise<T>): Promise<Started<T>> {
  let isTold = false;
  void told.then(() => {
    isTold = true;
  });
  const started = await start().catch(async (error: unknown) => {
    // Ctrl-C is meant for what it starts, too, which may have ended of it before this process hears.
    await Promise.race([told, sleep(HEARD_MILLISECONDS)]);
    if (isTold) return null;
    throw error;
  });
  return { started, isTold };
}

const HEARD_MILLISECONDS = 200;
