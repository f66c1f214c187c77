import type { Logger } from 'pino';
import { formatSeconds } from '../domain/duration.ts';
import { type Database, isReachable, openDatabase } from '../store/database.ts';
import { untilDatabaseIsThere } from '../store/database-away.ts';
import { aheadInWords, secondsAhead } from '../store/database-clock.ts';
import { logFault, watchStore } from '../store/log-fault.ts';
import type { StatementCounts } from '../store/statements.ts';
import { assertConnects } from './assert-connects.ts';
import { assertMigrated } from './assert-migrated.ts';
import { CannotStart } from './cannot-start.ts';

const START_PATIENCE_MILLISECONDS = 60_000;
/** A database that was away and has not answered by then still is. */
const ANSWER_MILLISECONDS = 2000;

/** What a process allows its database. */
interface DatabaseBounds {
  /** By which its clock may differ from ours. */
  readonly mostSkewSeconds: number;
  /** After which a statement is ended; null for whenever it is done. */
  readonly mostStatementSeconds: number | null;
}

/**
 * Opens the database of a process, with what becomes of it in the log. A PostgreSQL that is starting or away is waited
 * for, a minute at most.
 * @throws CannotStart what it last said, or at once anything that waiting does not mend, as a wrong password
 */
export async function openMigrated(
  databaseUrl: string,
  maxConnections: number,
  logger: Logger,
  statements: StatementCounts,
  { mostSkewSeconds, mostStatementSeconds }: DatabaseBounds,
): Promise<Database> {
  const onAway = (error: Error) => logFault(logger, error, 'waiting for the database');
  await untilDatabaseIsThere(() => assertConnects(databaseUrl), START_PATIENCE_MILLISECONDS, onAway);
  const onLost = (error: Error) => logFault(logger, error, 'database connection lost');
  const database = openDatabase(databaseUrl, maxConnections, onLost, statements, mostStatementSeconds);
  try {
    await assertMigrated(database);
    await assertSameTime(database, mostSkewSeconds);
  } catch (error) {
    await database.close();
    throw error;
  }
  const endWatch = watchStore(logger, 'database', () => isReachable(database, ANSWER_MILLISECONDS));
  return {
    ...database,
    close() {
      endWatch();
      return database.close();
    },
  };
}

/** Leases and what is due are told by both clocks. */
async function assertSameTime({ db }: Database, mostSkewSeconds: number): Promise<void> {
  const aheadSeconds = await secondsAhead(db);
  if (Math.abs(aheadSeconds) <= mostSkewSeconds) return;
  throw new CannotStart(
    `${aheadInWords(aheadSeconds)}; at most ${formatSeconds(mostSkewSeconds)} is allowed`,
    'have both machines set by NTP, and start again',
  );
}
