import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { awayPauseMilliseconds } from './database-away.ts';

/**
 * What a process is known by to the others that share its database, as long as it lives: a number that it holds an advisory lock on, over
 * a connection of its own. The lock goes with the process, whatever ended it, so nobody has to wait until something times out to know.
 */
export interface Presence {
  /** The number, once the lock on it is held. A connection that is lost meanwhile is replaced, under the same number. */
  id(): Promise<number>;
  close(): Promise<void>;
}

/** First half of the advisory lock's name; the second is the process' number. */
const LOCK_CLASS = 0x67_72_69_64;
const LARGEST_ID = 2 ** 31 - 1;

/** A presence that begins when it is first asked for. */
export function createPresence(url: string, onLost: (error: Error) => void): Presence {
  let id = randomInt(1, LARGEST_ID);
  let client: pg.Client | null = null;
  let entering: Promise<void> | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true });
    fresh.on('error', (error) => {
      onLost(error);
      if (client !== fresh) return;
      client = null;
      void comeBack();
    });
    try {
      await fresh.connect();
      // A machine that is gone without a word is noticed within half a minute.
      await fresh.query('SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3');
      const { rows } = await fresh.query('SELECT pg_try_advisory_lock($1, $2) AS held', [LOCK_CLASS, id]);
      if (!rows[0].held) throw new Error(`process number ${id} is taken`);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    client = fresh;
    if (closed) await fresh.end();
  }

  /** What was begun under the number is known by it, so it stays the same. */
  async function comeBack(): Promise<void> {
    for (let failures = 1; !closed && client === null; failures++) {
      await sleep(awayPauseMilliseconds(failures), undefined, { ref: false });
      if (!closed) await connect().catch(onLost);
    }
  }

  async function enter(): Promise<void> {
    await connect().catch(async () => {
      id = randomInt(1, LARGEST_ID);
      await connect();
    });
  }

  return {
    async id() {
      entering ??= enter().catch((error: unknown) => {
        entering = null;
        throw error;
      });
      await entering;
      return id;
    },
    async close() {
      closed = true;
      await entering?.catch(() => undefined);
      await client?.end();
    },
  };
}

/** The numbers of the processes that live, as a subquery. */
export const LIVING_PROCESSES = Prisma.sql`
  SELECT "objid"::bigint::int FROM pg_locks
   WHERE "locktype" = 'advisory' AND "classid" = ${LOCK_CLASS}::bigint::oid AND "objsubid" = 2 AND "granted"
     AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())`;

/** Those of the processes that are gone. */
export async function findGone(db: Db, processIds: readonly number[]): Promise<number[]> {
  if (processIds.length === 0) return [];
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT p."id" FROM unnest(${[...processIds]}::int[]) AS p("id") WHERE p."id" NOT IN (${LIVING_PROCESSES})`;
  return rows.map(({ id }) => id);
}
