import type { Redis } from 'ioredis';
import { PARTS_QUEUE } from './part-jobs.ts';

/** A number that grows as long as there is a worker: no clock of any machine is needed to see that. */
export const PULSE_KEY = `${PARTS_QUEUE}:pulse`;
const PULSE_MILLISECONDS = 3000;

/** Shows that a worker lives, until it is told to stop. */
export function startPulse(redis: Redis): () => void {
  const beat = () => void redis.incr(PULSE_KEY).catch(() => undefined);
  beat();
  const timer = setInterval(beat, PULSE_MILLISECONDS);
  return () => clearInterval(timer);
}
