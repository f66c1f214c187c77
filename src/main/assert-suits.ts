import type pg from 'pg';
import { CannotStart } from './cannot-start.ts';

/** What is asked of a connection. */
export type Asking = Pick<pg.Client, 'query'>;

/**
 * Asks a database that was just connected to whether it can be Gridcast's.
 * @throws CannotStart with what is in the way
 */
export async function assertSuits(databaseUrl: string, client: Asking): Promise<void> {
  const schema = new URL(databaseUrl).searchParams.get('schema') ?? HOME;
  const { rows } = await client.query<Traits>(`
    SELECT current_setting('server_encoding') AS "encoding", current_setting('search_path') AS "path",
           '${HOME}' = ANY(current_schemas(false)) AS "leadsHome"`);
  const [{ encoding, path, leadsHome } = { encoding: '', path: '', leadsHome: true }] = rows;
  if (schema !== HOME) {
    throw new CannotStart(
      `DATABASE_URL: schema=${schema}: the tables are in the schema ${HOME}, always`,
      'leave schema out; a database of its own keeps Gridcast apart from others',
    );
  }
  if (!leadsHome) {
    const remedy = 'have it lead there, as by ALTER ROLE ... RESET search_path, or without options in DATABASE_URL';
    throw new CannotStart(`DATABASE_URL: the search_path ${path} does not lead to the schema ${HOME}`, remedy);
  }
  if (!ENCODINGS.includes(encoding)) {
    throw new CannotStart(
      `DATABASE_URL: the database is encoded in ${encoding}, which has not every character`,
      "make one by CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0, and name that",
    );
  }
}

interface Traits {
  readonly encoding: string;
  readonly path: string;
  readonly leadsHome: boolean;
}

/**
 * Asks whether sessions last as long as their connections. Processes are known to each other by locks of theirs, and
 * hear by them of what is to be done; both would be lost without a word behind a pooler of transactions.
 * @param told number that the first connection was told of its server process
 * @param first connection
 * @param openSecond opens another one, which is asked for only where somebody is between us and the server
 * @throws CannotStart where every transaction may have another server process
 */
export async function assertKeepsSessions(
  told: number | null,
  first: Asking,
  openSecond: () => Promise<Asking & { end(): Promise<void> }>,
): Promise<void> {
  const before = await processOf(first);
  if (before === told) return;
  for (let round = 0; round < ROUNDS; round++) {
    const second = await openSecond();
    try {
      await second.query('BEGIN');
      const itsOwn = await processOf(second);
      if (itsOwn !== before && (await processOf(first)) === before) continue;
    } finally {
      await second.end();
    }
    throw new CannotStart(
      'DATABASE_URL: a pooler gives every transaction another session',
      'name PostgreSQL itself, or have the pooler keep sessions (pool_mode = session of PgBouncer)',
    );
  }
}

async function processOf(client: Asking): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS "id"');
  return rows[0]?.id;
}

/** Where Prisma has the tables, whatever an address says. */
const HOME = 'public';
/** The second keeps the bytes that it gets. */
const ENCODINGS = ['UTF8', 'SQL_ASCII'];
/** Others who use the pooler at the time may let one pass. */
const ROUNDS = 3;
