import { isDatabaseGone } from '../store/database-away.ts';
import { DatabaseClient } from '../store/database-client.ts';
import { assertKeepsSessions, assertSuits } from './assert-suits.ts';
import { CannotStart } from './cannot-start.ts';

/**
 * Connects to a database once, in PostgreSQL's own words: Prisma's tell of a password or a certificate in ones that
 * nobody can read. What is there is asked whether it will do.
 * @param mayBeMade whether a database that there is not will be made
 * @throws CannotStart with what is wrong with the address, and pg's own error as its cause
 */
export async function assertConnects(databaseUrl: string, mayBeMade = false): Promise<void> {
  const client = open(databaseUrl);
  try {
    await client.connect();
    await assertSuits(databaseUrl, client);
    await assertKeepsSessions(client.processID, client, () => openConnected(databaseUrl));
  } catch (error) {
    if (mayBeMade && isDatabaseGone(error)) return;
    if (error instanceof CannotStart) throw error;
    throw new CannotStart(`DATABASE_URL: ${(error as Error).message}`, remedyOf(error), { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

function open(databaseUrl: string): DatabaseClient {
  const client = new DatabaseClient({ connectionString: databaseUrl });
  // Who asks is told; one that ends between two questions has nobody else.
  return client.on('error', () => undefined);
}

async function openConnected(databaseUrl: string): Promise<DatabaseClient> {
  const client = open(databaseUrl);
  await client.connect();
  return client;
}

function remedyOf(error: unknown): string {
  if (isDatabaseGone(error)) return 'run `gridcast migrate`, which makes it, or name another one';
  const isRefused = error instanceof Error && 'code' in error && LOGIN_REFUSED.has(error.code);
  return isRefused ? 'check user and password in DATABASE_URL' : 'check DATABASE_URL';
}

/** SQLSTATEs of the manual's appendix A: a wrong password, and a login that is not permitted. */
const LOGIN_REFUSED = new Set<unknown>(['28P01', '28000']);
