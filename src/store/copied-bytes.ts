import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/**
 * The bytes in the first column of the first row of a query, as they are stored: the answer to a query would be text,
 * two digits for a byte.
 * @param statement with its values in place, as COPY takes none; see `literal`
 * @returns null where there is no row, or nothing in it
 */
export async function copyBytes(pool: pg.Pool, statement: string): Promise<Uint8Array | null> {
  const client = await pool.connect();
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of client.query(copyTo(`COPY (${statement}) TO STDOUT (FORMAT binary)`))) chunks.push(chunk);
    client.release();
    return firstField(Buffer.concat(chunks));
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** A value as it is written in a statement. */
export function literal(value: string | number): string {
  return pg.escapeLiteral(String(value));
}

/** Of what COPY writes: a header of 19 bytes, then of each row the number of its fields, and of each its length. */
function firstField(copied: Buffer): Uint8Array | null {
  if (copied.readInt16BE(ROWS_AT) === NO_MORE_ROWS) return null;
  const length = copied.readInt32BE(ROWS_AT + 2);
  return length < 0 ? null : copied.subarray(ROWS_AT + 6, ROWS_AT + 6 + length);
}

const ROWS_AT = 19;
const NO_MORE_ROWS = -1;
