import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { copyBytes } from './copied-bytes.ts';
import { endsStatements } from './database-client.ts';
import { openPool, type PoolConfig } from './database-pool.ts';
import { preparedNames } from './prepared-names.ts';
import { Presence } from './presence.ts';
import { RefusedWrites, writeAndTakeBack } from './refused-writes.ts';
import { sharedTransactions } from './shared-transactions.ts';
import type { StatementCounts } from './statements.ts';

/**
 * Whatever can run a query: the database itself or a transaction in it. Every function of the store takes one first.
 */
export type Db = Prisma.TransactionClient;

/** An open connection pool to PostgreSQL. */
export interface Database {
  readonly db: Db;
  readonly url: string;
  /** What this process is known by to the others that share the database. */
  readonly presence: Presence;
  /**
   * Runs `work` in one transaction; when it throws, or takes longer than `timeoutMilliseconds` (20 s), nothing of it
   * remains.
   */
  transaction<T>(work: (tx: Db) => Promise<T>, timeoutMilliseconds?: number): Promise<T>;
  /**
   * The same in one transaction with others that come at a time, see `sharedTransactions`: `work` may be done twice,
   * and must change nothing but what it writes.
   */
  sharedTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** The bytes in the first column of the first row, see `copyBytes`; null where there is no row. */
  readBytes(statement: string): Promise<Uint8Array | null>;
  /** False while what is written is refused for lack of room, memory or a sound disk, see `RefusedWrites`. */
  takesWrites(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens a connection pool. Nothing is connected before the first query.
 * @param url `postgresql://` address
 * @param maxConnections of this pool
 * @param onLost told of connections that died; queries on them fail as well
 * @param statements counts what is sent to it; nobody does unless told
 * @param mostStatementSeconds after which PostgreSQL ends a statement; null for as long as it lets them have
 */
export function openDatabase(
  url: string,
  maxConnections: number,
  onLost: (error: Error) => void = () => undefined,
  statements: StatementCounts | null = null,
  mostStatementSeconds: number | null = null,
): Database {
  const refused = new RefusedWrites(() => writeAndTakeBack(transaction));
  const onFailed = (error: unknown) => refused.note(error);
  const config = { connectionString: url, max: maxConnections, ...sessionOf(mostStatementSeconds) };
  const pool = openPool(config, onLost, statements, onFailed);
  const presence = new Presence(url, onLost);
  const client = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true, statementNameGenerator: preparedNames() }),
  });
  const transaction: Database['transaction'] = (work, timeout = 20_000) =>
    client.$transaction(work, { maxWait: 10_000, timeout });
  return {
    db: client,
    url,
    presence,
    transaction,
    sharedTransaction: sharedTransactions(client, transaction),
    readBytes: (statement) => copyBytes(pool, statement),
    takesWrites: () => refused.areOver(),
    async close() {
      await presence.close();
      await client.$disconnect();
    },
  };
}

/** What a fresh connection is told; one that is told nothing is there at once. */
function sessionOf(mostStatementSeconds: number | null): Pick<PoolConfig, 'onConnect'> {
  if (mostStatementSeconds === null) return {};
  return { onConnect: (client) => client.query(endsStatements(mostStatementSeconds)) };
}

/**
 * True when the database answers within that time, and takes what is written: one that stands by for another does not,
 * nor one whose disk is full.
 */
export async function isReachable(database: Database, patienceMilliseconds: number): Promise<boolean> {
  const asked = database.db.$queryRaw<{ isReadOnly: boolean }[]>`
    SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`;
  const answer = asked.then(
    ([row]) => row?.isReadOnly === false && database.takesWrites(),
    () => false,
  );
  return Promise.race([answer, sleep(patienceMilliseconds, false, { ref: false })]);
}
