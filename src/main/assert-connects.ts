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
  let client: DatabaseClient | null = null;
  try {
    client = await openConnected(databaseUrl);
    await assertSuits(databaseUrl, client);
    await assertKeepsSessions(client.processID, client, () => openConnected(databaseUrl));
  } catch (error) {
    if (mayBeMade && isDatabaseGone(error)) return;
    if (error instanceof CannotStart) throw error;
    throw new CannotStart(`DATABASE_URL: ${(error as Error).message}`, remedyOf(error), { cause: error });
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function openConnected(databaseUrl: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString: databaseUrl });
  // Who asks is told; one that ends between two questions has nobody else.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function remedyOf(error: unknown): string {
  if (isDatabaseGone(error)) return 'run `gridcast migrate`, which makes it, or name another one';
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === 'open') return 'check sslrootcert, sslcert and sslkey in DATABASE_URL';
  return REMEDIES.get(code ?? '') ?? 'check DATABASE_URL';
}

const UNKNOWN_AUTHORITY =
  'name the certificate of your authority in DATABASE_URL: sslmode=verify-full&sslrootcert=FILE';
const LOGIN = 'check user and password in DATABASE_URL';

/**
 * SQLSTATEs of the manual's appendix A: a wrong password, and a login that is not permitted. Of TLS: a certificate of
 * nobody whom we know, and one of another host.
 */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['28P01', LOGIN],
  ['28000', LOGIN],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNKNOWN_AUTHORITY],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNKNOWN_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNKNOWN_AUTHORITY],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'name the host in DATABASE_URL as its certificate does'],
]);
