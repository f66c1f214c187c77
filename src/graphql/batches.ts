import DataLoader from 'dataloader';

/** A loader of one row for each key; null where there is none. */
export function one<Row>(read: (ids: readonly string[]) => Promise<readonly Row[]>, keyOf: (row: Row) => string) {
  return new DataLoader<string, Row | null>(async (ids) => {
    const rows = new Map((await read(ids)).map((row) => [keyOf(row), row]));
    return ids.map((id) => rows.get(id) ?? null);
  });
}

/** A loader of all rows for each key. */
export function many<Row>(
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string | null,
) {
  return new DataLoader<string, readonly Row[]>(async (ids) => {
    const rows = groupBy(await read(ids), keyOf);
    return ids.map((id) => rows.get(id) ?? []);
  });
}

/** Rows by what they have in common, in their order. */
export function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
