import { toDate } from './moments.ts';

/** A keyset page: the next rows after a cursor, newest first. */
export interface PageRequest {
  readonly first: number;
  readonly after: Cursor | null;
}

/** The place of a row in the order newest first. */
export interface Cursor {
  readonly createdAt: number;
  readonly id: string;
}

/** Some rows and whether more follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly totalCount: number;
  readonly hasNextPage: boolean;
}

/**
 * Query arguments for the rows after the cursor, newest first, one more than asked for to learn whether there are more.
 */
export function newestFirst<Where extends object>(where: Where, { first, after }: PageRequest) {
  const createdAt = after && toDate(after.createdAt);
  return {
    where: after
      ? { AND: [where, { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: after.id } }] }] as never }
      : where,
    orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }],
    take: first + 1,
  };
}

/** Cuts the extra row off. */
export function toPage<Row>(rows: readonly Row[], totalCount: number, { first }: PageRequest): Page<Row> {
  return { rows: rows.slice(0, first), totalCount, hasNextPage: rows.length > first };
}
