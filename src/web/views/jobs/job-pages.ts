/** What a list of jobs is made of: pages that are read one after the other, and changes that are told meanwhile. */
export interface JobPages<Row extends { readonly id: string }> {
  /** As the pages had them, the newest job first. */
  readonly read: ReadonlyMap<string, Row>;
  /** As they were told since the first of these pages was asked for; null of one that is not let through. */
  readonly told: ReadonlyMap<string, Row | null>;
  /** How many there are, read or not. */
  readonly total: number;
  /** Whether no more pages will be read. */
  readonly isRead: boolean;
}

/** One page as it came. */
export interface JobPage<Row> {
  readonly rows: readonly Row[];
  readonly totalCount: number;
  readonly isFirst: boolean;
  /** Whether no more will be read, though there may be more. */
  readonly isLast: boolean;
  readonly hasMore: boolean;
}

export function noPages<Row extends { readonly id: string }>(): JobPages<Row> {
  return { read: new Map(), told: new Map(), total: 0, isRead: false };
}

/** Before they are all read anew: what there is stays until then, and what is told from now on is newer. */
export function readAnew<Row extends { readonly id: string }>(before: JobPages<Row>): JobPages<Row> {
  return { ...folded(before), isRead: false };
}

/** With one more page. What was told meanwhile stays: who tells of a change tells of the next one, too. */
export function withPage<Row extends { readonly id: string }>(
  { read, told }: JobPages<Row>,
  { rows, totalCount, isFirst, isLast, hasMore }: JobPage<Row>,
): JobPages<Row> {
  const pages = { read: new Map([...(isFirst ? [] : read), ...rows.map((row) => [row.id, row] as const)]), told };
  const known = { ...pages, total: hasMore ? totalCount : rowsOf(pages).length, isRead: isLast };
  return isLast ? folded(known) : known;
}

/** With a job as it was told. @param isWanted whether the filters let it through */
export function withTold<Row extends { readonly id: string }>(
  before: JobPages<Row>,
  row: Row,
  isWanted: boolean,
): JobPages<Row> {
  const { read, total, isRead } = before;
  const known = before.told.get(row.id);
  const wasThere = known === undefined ? read.has(row.id) : known !== null;
  const told = new Map(before.told).set(row.id, isWanted ? row : null);
  const now = { read, told, total: total + (isWanted ? 1 : 0) - (wasThere ? 1 : 0), isRead };
  return isRead ? folded(now) : now;
}

/** The jobs as they are now: those that no page had before the others, the one that was told of last first. */
export function rowsOf<Row extends { readonly id: string }>({
  read,
  told,
}: Pick<JobPages<Row>, 'read' | 'told'>): readonly Row[] {
  const fresh = [...told.values()].filter((row) => row !== null && !read.has(row.id)).reverse();
  const known = [...read.values()].map((row) => told.get(row.id) ?? (told.has(row.id) ? null : row));
  return [...fresh, ...known].filter((row) => row !== null);
}

/** With nothing told beside what is read. */
function folded<Row extends { readonly id: string }>(pages: JobPages<Row>): JobPages<Row> {
  return { ...pages, read: new Map(rowsOf(pages).map((row) => [row.id, row])), told: new Map() };
}
