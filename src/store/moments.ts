import type { EpochSeconds } from '../domain/clock.ts';

/** A row as the rest of the code sees it: every `Date` has become epoch seconds. */
export type WithMoments<Row> = Row extends Date
  ? EpochSeconds
  : Row extends readonly (infer Item)[]
    ? WithMoments<Item>[]
    : Row extends object
      ? { [Key in keyof Row]: WithMoments<Row[Key]> }
      : Row;

/**
 * The moment as PostgreSQL stores it, to the millisecond. One before the year 1 or after 9999 is the first or last one
 * of these: other years have no text that Prisma and PostgreSQL read alike.
 */
export function toDate(at: EpochSeconds): Date;
export function toDate(at: EpochSeconds | null): Date | null;
export function toDate(at: EpochSeconds | null): Date | null {
  if (at === null) return null;
  return new Date(Math.min(LAST_MILLISECONDS, Math.max(FIRST_MILLISECONDS, Math.round(at * 1000))));
}

const FIRST_MILLISECONDS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MILLISECONDS = Date.parse('9999-12-31T23:59:59.999Z');

/** Turns every `Date` of a row, nested rows included, into epoch seconds. */
export function withMoments<Row>(row: Row): WithMoments<Row> {
  if (row instanceof Date) return (row.getTime() / 1000) as WithMoments<Row>;
  if (Array.isArray(row)) return row.map((item) => withMoments(item)) as WithMoments<Row>;
  if (row === null || typeof row !== 'object') return row as WithMoments<Row>;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, withMoments(value)])) as WithMoments<Row>;
}
