import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/**
 * The bytes in the first column of the first row of a query, as they are stored: the answer to a query would be text,
 * two digits for a byte.
 * @param statement with its values in place, as COPY takes none; see `literal`
 * @returns null where there is no row, or nothing in it
 * @throws Error of PostgreSQL or of the connection
 */
export async function copyBytes(pool: pg.Pool, statement: string): Promise<Uint8Array | null> {
  return firstField(await copied(pool, statement));
}

/** All that COPY writes. A connection that failed at it is given up. */
async function copied(pool: pg.Pool, statement: string): Promise<Buffer> {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    return await buffer(client.query(copyTo(`COPY (${statement}) TO STDOUT (FORMAT binary)`)));
  } catch (error) {
    fault = error as Error;
    throw error;
  } finally {
    client.release(fault);
  }
}

/** A value as it is written in a statement. */
export function literal(value: string | number): string {
  return pg.escapeLiteral(String(value));
}

/**
 * After a header of 19 bytes each row begins with the number of its fields, and each field with its length. Source:
 * PostgreSQL 18, COPY, "Binary Format".
 */
function firstField(written: Buffer): Uint8Array | null {
  if (written.readInt16BE(ROWS_AT) === NO_MORE_ROWS) return null;
  const length = written.readInt32BE(ROWS_AT + 2);
  return length < 0 ? null : written.subarray(ROWS_AT + 6, ROWS_AT + 6 + length);
}

const ROWS_AT = 19;
const NO_MORE_ROWS = -1;
