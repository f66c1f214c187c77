import pg from 'pg';

/** A connection to PostgreSQL that gives up on a server which takes it and then says nothing. */
export class DatabaseClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ keepAlive: true, connectionTimeoutMillis: CONNECT_MILLISECONDS, ...config });
  }
}

/** What it says of such a server. */
export const SILENT = 'timeout expired';

/** A process that is busy must not take itself for a server that is silent. */
const CONNECT_MILLISECONDS = 20_000;
