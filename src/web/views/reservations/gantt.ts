/** A promise, as far as its place in the chart goes. */
export interface GanttReservation {
  readonly id: string;
  readonly state: string;
  readonly startAt: string;
  readonly submitAt: string | null;
  readonly decidedAt: string | null;
  readonly expectedPaddingProcessorSeconds: number;
  readonly leg: string | null;
  readonly site: { readonly name: string } | null;
  readonly job: {
    readonly name: string;
    readonly processors: number;
    readonly walltimeSeconds: number;
    readonly submittedAt: string | null;
    readonly startedAt: string | null;
    readonly endedAt: string | null;
  };
  readonly coAllocation: { readonly id: string; readonly state: string } | null;
}

/** A length of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One promise as it is drawn. */
export interface Bar<Row extends GanttReservation> {
  readonly row: Row;
  readonly startAt: number;
  /** In the site's queue, or to be; null where it is neither. */
  readonly queued: Span | null;
  /** Its processors held before its start: paid, or expected to be; null for none. */
  readonly padding: Span | null;
  /** Whether that is what is expected. */
  readonly isExpected: boolean;
  /** Its own work, as far as it went, or is to go at most; null of one that never began. */
  readonly work: Span | null;
  /** Whether another leg of its group won, so that it was not needed. */
  readonly isLoser: boolean;
}

/** The promises at one site. */
export interface SiteBars<Row extends GanttReservation> {
  readonly site: string;
  readonly bars: readonly Bar<Row>[];
}

/**
 * What is drawn of each promise, site by site, by start time.
 * @param now on the service's clock, in milliseconds since the epoch
 */
export function ganttOf<Row extends GanttReservation>(rows: readonly Row[], now: number): SiteBars<Row>[] {
  const bars = rows.map((row) => barOf(row, now));
  const names = [...new Set(rows.map(({ site }) => site?.name ?? ''))].sort();
  return names.map((site) => ({
    site,
    bars: bars.filter(({ row }) => (row.site?.name ?? '') === site).sort((left, right) => left.startAt - right.startAt),
  }));
}

function barOf<Row extends GanttReservation>(row: Row, now: number): Bar<Row> {
  const startAt = Date.parse(row.startAt);
  const { submittedAt, startedAt, endedAt, walltimeSeconds, processors } = row.job;
  const isOver = row.state === 'CANCELLED' || row.state === 'MISSED';
  const [began, ended] = [timeOf(startedAt), timeOf(endedAt)];
  const queuedFrom = timeOf(submittedAt) ?? (isOver ? null : timeOf(row.submitAt));
  const expected = (row.expectedPaddingProcessorSeconds / Math.max(1, processors)) * 1000;
  const isExpected = began === null;
  // What has not begun by now will not have.
  const paddingFrom = isExpected ? Math.max(startAt - expected, now) : began;
  const paddingTo = Math.min(startAt, ended ?? startAt);
  const hasPadding = paddingTo > paddingFrom && !(isExpected && isOver);
  const workFrom = began === null ? startAt : Math.max(began, startAt);
  const workTo = ended ?? Math.max(now, workFrom + walltimeSeconds * 1000);
  const hasWork = began === null ? !isOver : workTo > workFrom;
  return {
    row,
    startAt,
    queued: queuedFrom === null ? null : spanOf(queuedFrom, began ?? (isOver ? (ended ?? startAt) : startAt)),
    padding: hasPadding ? { from: paddingFrom, to: paddingTo } : null,
    isExpected,
    work: hasWork ? { from: workFrom, to: began === null ? workFrom + walltimeSeconds * 1000 : workTo } : null,
    isLoser: row.state === 'CANCELLED' && row.coAllocation?.state === 'SUCCEEDED',
  };
}

function timeOf(at: string | null): number | null {
  return at === null ? null : Date.parse(at);
}

function spanOf(from: number, to: number): Span | null {
  return to > from ? { from, to } : null;
}

/** How far around now the chart reaches, in hours; null for as far as the promises do. */
export const REACHES = [12, 48, 336, null] as const;
export type Reach = (typeof REACHES)[number];

/** The narrowest reach that shows at least half of the promises. */
export function reachFor(rows: readonly Pick<GanttReservation, 'startAt'>[], now: number): Reach {
  const enough = (reach: Reach) =>
    reach !== null && rows.filter(({ startAt }) => isWithin(Date.parse(startAt), reach, now)).length * 2 >= rows.length;
  return REACHES.find(enough) ?? null;
}

/** Whether a moment is that near to now. */
export function isWithin(at: number, reach: Reach, now: number): boolean {
  return reach === null || Math.abs(at - now) <= reach * 3_600_000;
}
