import { formatSeconds } from '../domain/duration.ts';
import type { Db } from './database.ts';

/**
 * Seconds by which this machine's wall clock is ahead of PostgreSQL's, negative where it is behind: no more than is
 * certain, however long the answer takes.
 */
export async function secondsAhead(db: Db): Promise<number> {
  const askedAt = Date.now() / 1000;
  const [row] = await db.$queryRaw<{ at: number }[]>`SELECT extract(epoch FROM clock_timestamp())::float8 AS "at"`;
  const heardAt = Date.now() / 1000;
  const at = row?.at ?? askedAt;
  return at < askedAt ? askedAt - at : Math.min(0, heardAt - at);
}

/** The same in words. */
export function aheadInWords(aheadSeconds: number): string {
  const side = aheadSeconds > 0 ? 'ahead of' : 'behind';
  return `the clock of this machine is ${formatSeconds(Math.abs(aheadSeconds))} ${side} PostgreSQL's`;
}
