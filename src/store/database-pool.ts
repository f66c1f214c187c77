import { Readable } from 'node:stream';
import pg from 'pg';
import { DatabaseClient } from './database-client.ts';
import type { StatementCounts } from './statements.ts';

/**
 * Opens a connection pool in which every connection has somebody to tell its end to from its first moment. A connection
 * on its way from pg's pool to who asked for it has nobody: a server that dies just then would take the process with
 * it.
 * @param onLost told of every connection that died; who was using it gets the same error
 * @param statements counts what is sent; nobody does unless told
 * @param onFailed told of every statement that failed; who sent it gets the same error
 */
export function openPool(
  config: PoolConfig,
  onLost: (error: Error) => void,
  statements: StatementCounts | null = null,
  onFailed: (error: unknown) => void = noop,
): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, Client: DatabaseClient as unknown as PoolClientKind, ...config });
  pool.on('connect', (client) => {
    client.on('error', onLost);
    if (statements) countStatements(client, statements);
    queueStatements(client);
    watchStatements(client, onFailed);
  });
  // Of idle connections the pool tells too, and must have a listener.
  pool.on('error', () => undefined);
  return pool;
}

/** What its types leave out: done with a fresh connection before anybody gets it. */
export interface PoolConfig extends pg.PoolConfig {
  readonly onConnect?: (client: pg.Client) => Promise<unknown>;
}

/** A pool makes them with its own configuration, whatever its types say. */
type PoolClientKind = NonNullable<pg.PoolConfig['Client']>;

function countStatements(client: pg.PoolClient, statements: StatementCounts): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const counted = (first: string | { readonly text?: string }, ...rest: unknown[]) => {
    statements.add((typeof first === 'string' ? first : first.text) ?? '');
    return query(first, ...rest);
  };
  client.query = counted as typeof client.query;
}

/**
 * Those who share a transaction send their statements when they have them; the connection gets one after another, which
 * pg itself will not see to any more.
 */
function queueStatements(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> | null = null;
  const queued = (...given: unknown[]) => {
    // Of pg's pool and of who copies, who have the connection to themselves.
    if (typeof given.at(-1) === 'function' || given[0] instanceof Readable) return query(...given);
    const answer = last === null ? query(...given) : last.then(() => query(...given));
    const end: Promise<unknown> = answer.then(noop, noop).then(() => {
      if (last === end) last = null;
    });
    last = end;
    return answer;
  };
  client.query = queued as typeof client.query;
}

/** Those whose end is told to a function are of pg's pool. */
function watchStatements(client: pg.PoolClient, onFailed: (error: unknown) => void): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const watched = (...given: unknown[]) => {
    const told = given.at(-1);
    if (typeof told === 'function') {
      return query(...given.slice(0, -1), (error: unknown, ...result: unknown[]) => {
        if (error) onFailed(error);
        told(error, ...result);
      });
    }
    const answer = query(...given);
    if (answer instanceof Promise) answer.catch(onFailed);
    return answer;
  };
  client.query = watched as typeof client.query;
}

const noop = () => undefined;
