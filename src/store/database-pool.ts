import pg from 'pg';

/**
 * Opens a connection pool in which every connection has somebody to tell its end to from its first moment. A connection
 * on its way from pg's pool to who asked for it has nobody: a server that dies just then would take the process with
 * it.
 * @param onLost told of every connection that died; who was using it gets the same error
 */
export function openPool(config: pg.PoolConfig, onLost: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ keepAlive: true, ...config });
  pool.on('connect', (client) => client.on('error', onLost));
  // Of idle connections the pool tells too, and must have a listener.
  pool.on('error', () => undefined);
  return pool;
}
