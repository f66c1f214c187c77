import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, ScaledClock, type WallTime } from '../domain/clock.ts';
import type { Config } from './config.ts';

const wallTime: WallTime = {
  readMilliseconds: () => Date.now(),
  sleep: (milliseconds, signal) =>
    sleep(milliseconds, undefined, signal ? { signal } : {}).catch((error: unknown) => {
      if (!signal?.aborted) throw error;
    }),
};

/** The clock of this process: wall time, or the scaled one that every process of the deployment is anchored to. */
export function createClock(config: Config): Clock {
  const wallMilliseconds = config.GRIDCAST_CLOCK_WALL_MILLISECONDS ?? wallTime.readMilliseconds();
  const at = config.GRIDCAST_CLOCK_AT ?? wallMilliseconds / 1000;
  return new ScaledClock({ wallMilliseconds, at, scale: config.GRIDCAST_CLOCK_SCALE }, wallTime);
}
