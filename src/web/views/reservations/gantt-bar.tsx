import { formatExactMoment, formatSeconds, formatWord } from '../../ui/format.ts';
import type { Scale } from '../../ui/scale.ts';
import type { Bar, Span } from './gantt.ts';
import type { ReservationRow } from './reservations.graphql.ts';

const LONGEST_LABEL = 22;
const HEIGHT = 10;

interface GanttBarProps {
  readonly bar: Bar<ReservationRow>;
  readonly x: Scale;
  /** Top of its row. */
  readonly y: number;
}

/** One promise: its wait as a line, its padding hatched, its work as a box, its start time as a mark. */
export function GanttBar({ bar, x, y }: GanttBarProps) {
  const { row, startAt, queued, padding, work } = bar;
  const fate = row.state === 'KEPT' ? 'kept' : row.state === 'MISSED' ? 'missed' : 'work';
  const ends = [queued, padding, work].flatMap((span) => (span ? [x(span.from), x(span.to)] : []));
  const isStruck = row.state === 'CANCELLED';
  return (
    <g
      data-bar={row.id}
      data-state={row.state}
      {...(isStruck && { 'data-struck': bar.isLoser ? 'lost' : 'cancelled' })}
    >
      <title>{titleOf(bar)}</title>
      <text x={12} y={y + 13}>
        {labelOf(row)}
      </text>
      {queued && <Box span={queued} x={x} y={y + 7} height={4} name="queued" />}
      {work && <Box span={work} x={x} y={y + 4} height={HEIGHT} name={isStruck ? 'work' : fate} />}
      {padding && <Box span={padding} x={x} y={y + 4} height={HEIGHT} name="padding" />}
      <path className={`gantt-mark gantt-mark-${fate}`} d={`M ${x(startAt)} ${y + 2} v 14`} />
      {row.state === 'MISSED' && (
        <path className="gantt-cross" d={`M ${x(startAt) - 4} ${y + 5} l 8 8 m 0 -8 l -8 8`} />
      )}
      {isStruck && (
        <line className="gantt-strike" x1={12} x2={Math.max(x(startAt) + 6, ...ends)} y1={y + 9} y2={y + 9} />
      )}
    </g>
  );
}

interface BoxProps {
  readonly span: Span;
  readonly x: Scale;
  readonly y: number;
  readonly height: number;
  readonly name: string;
}

function Box({ span, x, y, height, name }: BoxProps) {
  return (
    <rect
      className={`gantt-${name}`}
      x={x(span.from)}
      y={y}
      width={Math.max(1.5, x(span.to) - x(span.from))}
      height={height}
      {...hatchOf(name)}
    />
  );
}

/** What fills a box that is hatched. A style sheet would look for the pattern in its own file. */
export function hatchOf(name: string): { readonly fill?: string } {
  return name === 'padding' ? { fill: 'url(#padding)' } : {};
}

function labelOf({ job, leg }: ReservationRow): string {
  const name = leg === null ? job.name : `${leg}: ${job.name}`;
  return name.length > LONGEST_LABEL ? `${name.slice(0, LONGEST_LABEL - 1)}…` : name;
}

function titleOf({ row, padding, isExpected, isLoser }: Bar<ReservationRow>): string {
  const held = padding && `${formatSeconds((padding.to - padding.from) / 1000)} of padding`;
  return [
    `${row.job.name}, ${formatWord(row.state)}${isLoser ? ', another leg won' : ''}`,
    `to be running at ${formatExactMoment(row.startAt)}`,
    ...(held ? [isExpected ? `${held} expected` : held] : []),
  ].join('; ');
}
