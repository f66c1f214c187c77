import pg from 'pg';

/** A client with what pg's types leave out. */
interface StartingClient extends pg.Client {
  /** Of the server process, as the server told it; null before it is connected. */
  readonly processID: number | null;
  /** The settings with which it asks for its session. */
  getStartupConf(): Record<string, string>;
}
const StartingClient = pg.Client as unknown as new (config: pg.ClientConfig) => StartingClient;

/**
 * A connection to PostgreSQL that gives up on a server which takes it and then says nothing.
 *
 * Its session is in UTC and tells dates as ISO 8601 does, whatever server, database and role are set to: Prisma writes
 * moments without their zone, and reads them so. Both are asked for as the session begins, which goes before all of
 * these, and through poolers, too.
 */
export class DatabaseClient extends StartingClient {
  constructor(config: pg.ClientConfig) {
    super({ keepAlive: true, connectionTimeoutMillis: CONNECT_MILLISECONDS, ...config });
  }

  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), TimeZone: 'UTC', DateStyle: 'ISO' };
  }
}

/** What it says of such a server. */
export const SILENT = 'timeout expired';

/** A process that is busy must not take itself for a server that is silent. */
const CONNECT_MILLISECONDS = 20_000;

/**
 * Has a session stay that is idle on purpose, whatever whoever runs PostgreSQL lets others be. Where there is no such
 * setting yet (before PostgreSQL 14) it does nothing.
 */
export const STAYS_IDLE = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'";

/**
 * Has PostgreSQL end statements of a session that take longer, unless whoever runs it lets them have less. Who hung up
 * or was told that it took too long would hold the connection for as long as they last.
 */
export function endsStatements(afterSeconds: number): string {
  const milliseconds = Math.ceil(afterSeconds * 1000);
  return `SELECT set_config(name, '${milliseconds}', false) FROM pg_settings
           WHERE name = 'statement_timeout' AND setting::bigint NOT BETWEEN 1 AND ${milliseconds}`;
}
