import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Prisma } from '../generated/prisma/client.ts';
import type { Db } from './database.ts';
import { awayPauseMilliseconds } from './database-away.ts';
import { DatabaseClient, STAYS_IDLE } from './database-client.ts';

/** First half of the advisory lock's name; the second is the process' number. */
const LOCK_CLASS = 0x67_72_69_64;
const LARGEST_ID = 2 ** 31 - 1;

/**
 * What a process is known by to the others that share its database, as long as it lives: a number that it holds an
 * advisory lock on, over a connection of its own. The lock goes with the process, whatever ended it, so nobody has to
 * wait until something times out to know. It begins when it is first asked for; a connection that is lost is replaced,
 * under the same number.
 */
export class Presence {
  private number = randomInt(1, LARGEST_ID);
  private client: pg.Client | null = null;
  private entering: Promise<void> | null = null;
  private isClosed = false;

  constructor(
    private readonly url: string,
    private readonly onLost: (error: Error) => void,
  ) {}

  /** The number, once the lock on it is held. */
  async id(): Promise<number> {
    this.entering ??= this.enter().catch((error: unknown) => {
      this.entering = null;
      throw error;
    });
    await this.entering;
    return this.number;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.entering?.catch(() => undefined);
    await this.client?.end();
  }

  private async enter(): Promise<void> {
    await this.connect().catch(async () => {
      this.number = randomInt(1, LARGEST_ID);
      await this.connect();
    });
  }

  private async connect(): Promise<void> {
    const fresh = new DatabaseClient({ connectionString: this.url });
    fresh.on('error', (error) => this.lost(fresh, error));
    try {
      await fresh.connect();
      // A machine that is gone without a word is noticed within half a minute.
      await fresh.query('SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3');
      await fresh.query(STAYS_IDLE);
      const { rows } = await fresh.query('SELECT pg_try_advisory_lock($1, $2) AS held', [LOCK_CLASS, this.number]);
      if (!rows[0].held) throw new Error(`process number ${this.number} is taken`);
    } catch (error) {
      await fresh.end().catch(() => undefined);
      throw error;
    }
    this.client = fresh;
    if (this.isClosed) await fresh.end();
  }

  private lost(client: pg.Client, error: Error): void {
    this.onLost(error);
    if (this.client !== client) return;
    this.client = null;
    void this.comeBack();
  }

  /** What was begun under the number is known by it, so it stays the same. */
  private async comeBack(): Promise<void> {
    for (let failures = 1; !this.isClosed && this.client === null; failures++) {
      await sleep(awayPauseMilliseconds(failures), undefined, { ref: false });
      if (!this.isClosed) await this.connect().catch(this.onLost);
    }
  }
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
