import { Redis } from 'ioredis';
import { NoWorkersError } from './part-jobs.ts';

const CONNECT_MILLISECONDS = 10_000;

/**
 * A connection to the Redis that holds the parts. Once it stands, one that is lost is made again for as long as it
 * takes.
 * @throws NoWorkersError when nothing answers there within ten seconds
 */
export async function openRedis(url: string): Promise<Redis> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: CONNECT_MILLISECONDS });
  let last = 'no answer';
  const keep = (error: Error) => {
    last = error.message;
  };
  redis.on('error', keep);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(last)), CONNECT_MILLISECONDS);
  });
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), late]);
    return redis;
  } catch (error) {
    redis.disconnect();
    const why = last === 'no answer' ? (error as Error).message : last;
    throw new NoWorkersError(`the Redis at ${shown(url)} cannot be used: ${why}`);
  } finally {
    clearTimeout(timer);
  }
}

/** What BullMQ reaches the same Redis by. */
export function connectionOf(url: string) {
  return { url, maxRetriesPerRequest: null };
}

/** An address without its password. */
export function shown(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
