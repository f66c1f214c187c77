import type { EpochSeconds } from '../domain/clock.ts';

/** A row as the rest of the code sees it: every `Date` has become epoch seconds. */
export type WithMoments<Row> = Row extends Date
  ? EpochSeconds
  : Row extends readonly (infer Item)[]
    ? WithMoments<Item>[]
    : Row extends object
      ? { [Key in keyof Row]: WithMoments<Row[Key]> }
      : Row;

/** The moment as PostgreSQL stores it, to the millisecond. */
export function toDate(at: EpochSeconds): Date;
export function toDate(at: EpochSeconds | null): Date | null;
export function toDate(at: EpochSeconds | null): Date | null {
  return at === null ? null : new Date(Math.round(at * 1000));
}

/** Turns every `Date` of a row, nested rows included, into epoch seconds. */
export function withMoments<Row>(row: Row): WithMoments<Row> {
  if (row instanceof Date) return (row.getTime() / 1000) as WithMoments<Row>;
  if (Array.isArray(row)) return row.map((item) => withMoments(item)) as WithMoments<Row>;
  if (row === null || typeof row !== 'object') return row as WithMoments<Row>;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, withMoments(value)])) as WithMoments<Row>;
}
