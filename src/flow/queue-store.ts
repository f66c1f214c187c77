import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  RedisConnection,
  runMigrations,
  SchemaMigrationRequiredError,
  withBackend,
} from 'bullmq';
import pg from 'pg';
import { awayPauseMilliseconds, untilDatabaseIsThere } from '../store/database-away.ts';
import { DatabaseClient, SILENT, STAYS_IDLE } from '../store/database-client.ts';
import { openPool } from '../store/database-pool.ts';
import { asLostWakeUp } from '../store/lost-wake-up.ts';
import { preparedNames } from '../store/prepared-names.ts';
import { asRedisFault, RedisFault } from '../store/redis-fault.ts';
import type { StatementCounts } from '../store/statements.ts';

/** Where BullMQ keeps its queues: in PostgreSQL beside our tables, or in Redis when an address is given. */
export interface QueueStore {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  /** Counts what is sent to PostgreSQL; nobody does unless told. */
  readonly statements?: StatementCounts;
}

const START_PATIENCE_MILLISECONDS = 60_000;
/** A Redis that takes a connection and then says nothing is given up. */
const LOOK_MILLISECONDS = 20_000;

/**
 * Creates or updates BullMQ's own schema in PostgreSQL. Redis needs none; the schema is there all the same, for who
 * takes the queues out of it one day.
 */
export async function migrateQueues(databaseUrl: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    await runMigrations(client);
  } finally {
    await client.end();
  }
}

/** Whether an error says that `migrateQueues` was never called. */
export function isWithoutQueues(error: unknown): boolean {
  return error instanceof SchemaMigrationRequiredError;
}

type Connection = Readonly<Record<string, unknown>>;

/** What BullMQ reaches its store by. */
export interface QueueLink {
  readonly connection: Connection;
  /** What BullMQ says went wrong, as the log may have it. */
  faultOf(error: Error): Error;
  /** Asks once whether the store lets us in. @throws what it says */
  look(): Promise<void>;
  /** Lets go of what BullMQ does not close itself. */
  close(): Promise<void>;
}

/**
 * BullMQ remembers for good how its first look at the store ended, and asks again without a pause; of a Redis it waits
 * for one that will never let it in. So what could not look is thrown away, and nothing runs before one could.
 * @throws what a store last said that was away for a minute, and at once anything that waiting does not mend
 */
export async function openReady<
  Opened extends { queue: { waitUntilReady(): Promise<unknown>; close(): Promise<void> } },
>(link: QueueLink, onAway: (error: Error) => void, open: () => Opened[]): Promise<Opened[]> {
  const attempt = async () => {
    await link.look();
    const opened = open();
    try {
      for (const { queue } of opened) await queue.waitUntilReady();
      return opened;
    } catch (error) {
      await Promise.all(opened.map(({ queue }) => queue.close()));
      throw link.faultOf(error as Error);
    }
  };
  try {
    return await untilDatabaseIsThere(attempt, START_PATIENCE_MILLISECONDS, onAway);
  } catch (error) {
    await link.close();
    throw error;
  }
}

/** @param max connections to PostgreSQL */
export function openLink(store: QueueStore, max: number, onLost: (error: Error) => void): QueueLink {
  const { databaseUrl, redisUrl, statements } = store;
  if (redisUrl) return redisLink(redisUrl);
  const onConnect = (client: pg.Client) => client.query(SESSION);
  const config = { connectionString: databaseUrl, max, onConnect };
  const pool = openPool(config, onLost, statements);
  return {
    connection: withPauses(pool),
    faultOf: asLostWakeUp,
    look: async () => undefined,
    close: () => pool.end(),
  };
}

function redisLink(url: string): QueueLink {
  return {
    connection: { url, maxRetriesPerRequest: null },
    faultOf: (error) => asLostWakeUp(asRedisFault(error)),
    look: () => lookAtRedis(url),
    close: async () => undefined,
  };
}

async function lookAtRedis(url: string): Promise<void> {
  const options = { url, maxRetriesPerRequest: null, retryStrategy: () => null };
  const connection = new RedisConnection(options, { skipVersionCheck: true });
  // Who asks for a database that there is not is let in to the first one, which may be another deployment's.
  const noDatabase = new Promise<never>((_, fail) => {
    connection.on('error', (error) => {
      const fault = asRedisFault(error);
      if (fault instanceof RedisFault && fault.command === 'select') fail(fault);
    });
  });
  noDatabase.catch(() => undefined);
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, fail) => {
    late = setTimeout(() => fail(new RedisFault(SILENT, 'ETIMEDOUT', null)), LOOK_MILLISECONDS);
  });
  try {
    await Promise.race([connection.client, silence, noDatabase]);
  } catch (error) {
    throw asRedisFault(error as Error);
  } finally {
    clearTimeout(late);
    await connection.close(true);
  }
}

/**
 * The pool as BullMQ is to see it: a query fails only after a pause, which grows from failure to failure. After any but
 * a refused connection BullMQ asks again at once, some hundred times a second.
 */
function withPauses(pool: pg.Pool): Connection {
  let failures = 0;
  const nameOf = preparedNames();
  return {
    options: pool.options,
    connect: () => pool.connect(),
    end: () => pool.end(),
    // Dead connections have told by themselves.
    on: () => undefined,
    async query(text: string, values: unknown[]) {
      try {
        const result = await pool.query({ name: nameOf({ sql: text }), text, values });
        failures = 0;
        return result;
      } catch (error) {
        await sleep(awayPauseMilliseconds(++failures));
        throw error;
      }
    },
  };
}

/** Where BullMQ's migrations put its tables. */
const SCHEMA = 'bullmq';
/**
 * What is lost of the queue is rebuilt from the tables, so nobody waits until it is on the disk. It is said in the
 * session and not as that begins: `options` of an address would take its place then, and poolers refuse it.
 */
const SESSION = `SET search_path = ${SCHEMA}; SET synchronous_commit = off; ${STAYS_IDLE}`;

/** BullMQ's classes over the store. */
export function backendOf({ redisUrl }: QueueStore) {
  return redisUrl
    ? withBackend<IQueueBackend, Connection>(createRedisBackend)
    : withBackend<IQueueBackend, Connection>(createPostgresBackend);
}
