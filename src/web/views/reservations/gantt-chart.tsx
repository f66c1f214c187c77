import { useState } from 'react';
import { serviceNow, useServiceNow } from '../../api/clock.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatExactMoment, formatShare, formatWord } from '../../ui/format.ts';
import { type Scale, scaleOf } from '../../ui/scale.ts';
import { TimeAxis } from '../../ui/time-axis.tsx';
import { type Bar, ganttOf, isWithin, REACHES, type Reach, reachFor, type SiteBars } from './gantt.ts';
import { GanttBar, hatchOf } from './gantt-bar.tsx';
import type { ReservationRow } from './reservations.graphql.ts';

const WIDTH = 720;
const LEFT = 150;
const RIGHT = 700;
const TOP = 8;
const ROW = 18;

/** Promises over the sites where they were made: queued, holding, at work, and what became of each. */
export function GanttChart({ rows }: { readonly rows: readonly ReservationRow[] }) {
  const now = useServiceNow();
  const [reach, setReach] = useState<Reach>(() => reachFor(rows, serviceNow()));
  const shown = rows.filter(({ startAt }) => isWithin(Date.parse(startAt), reach, now));
  const sites = ganttOf(shown, now);
  const bars = sites.flatMap((site) => site.bars);
  return (
    <>
      <label className="reach">
        Promises for{' '}
        <select
          value={String(reach)}
          onChange={({ target }) => setReach(REACHES.find((one) => String(one) === target.value) ?? null)}
        >
          {REACHES.map((hours) => (
            <option key={hours} value={String(hours)}>
              {hours === null ? 'any time' : `${hours < 48 ? `${hours} hours` : `${hours / 24} days`} around now`}
            </option>
          ))}
        </select>
      </label>
      <ChartFrame
        title="Promises over sites"
        note={`${shown.length} of the newest ${rows.length}`}
        summary={summaryOf(bars)}
        headings={HEADINGS}
        rows={bars.map(cellsOf)}
      >
        {bars.length === 0 ? <p className="muted">None is for that time.</p> : <Drawing sites={sites} now={now} />}
      </ChartFrame>
    </>
  );
}

const HEADINGS = [
  ...['site', 'job', 'leg', 'state', 'lost to another leg', 'start', 'submitted', 'started', 'ended', 'promised'],
  ...['padding, seconds', 'padding is expected'],
];

function cellsOf({ row, padding, isExpected, isLoser }: Bar<ReservationRow>) {
  const moment = (at: string | null) => (at === null ? null : formatExactMoment(at));
  const { job, site, leg, state, startAt, promisedProbability } = row;
  const seconds = padding === null ? 0 : Math.round((padding.to - padding.from) / 1000);
  return [
    ...[site?.name ?? null, job.name, leg, formatWord(state), isLoser, moment(startAt)],
    ...[moment(job.submittedAt), moment(job.startedAt), moment(job.endedAt), formatShare(promisedProbability, 1)],
    ...[seconds, isExpected],
  ];
}

function summaryOf(bars: readonly Bar<ReservationRow>[]): string {
  const states = [...new Set(bars.map(({ row }) => row.state))];
  const told = states.map((state) => `${bars.filter(({ row }) => row.state === state).length} ${formatWord(state)}`);
  return told.length === 0 ? 'No promise.' : `Of these promises ${told.join(', ')}.`;
}

/** One line of the drawing: the name of a site, or one of its promises. */
type Line = { readonly site: string } | Bar<ReservationRow>;

function Drawing({ sites, now }: { readonly sites: readonly SiteBars<ReservationRow>[]; readonly now: number }) {
  const lines: Line[] = sites.flatMap(({ site, bars }) => [{ site }, ...bars]);
  const bars = sites.flatMap((site) => site.bars);
  const ends = bars.flatMap(({ startAt, queued, padding, work }) =>
    [{ from: startAt, to: startAt }, queued, padding, work].flatMap((span) => (span ? [span.from, span.to] : [])),
  );
  const [from, to] = [Math.min(now, ...ends), Math.max(now + 60_000, ...ends)];
  const x = scaleOf(from, to, LEFT, RIGHT);
  const bottom = TOP + ROW * lines.length;
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${bottom + 40}`} className="drawing gantt" aria-hidden="true">
        <defs>
          <pattern id="padding" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1="0" x2="0" y1="0" y2="6" className="hatch" />
          </pattern>
        </defs>
        <TimeAxis from={from} to={to} x={x} y={bottom} top={TOP} />
        <Groups lines={lines} x={x} />
        {lines.map((line, index) =>
          'site' in line ? (
            <text key={`site ${line.site}`} x={2} y={TOP + ROW * index + 13} className="gantt-site">
              {line.site || 'no site yet'}
            </text>
          ) : (
            <GanttBar key={line.row.id} bar={line} x={x} y={TOP + ROW * index} />
          ),
        )}
        <line className="now" x1={x(now)} x2={x(now)} y1={TOP} y2={bottom} />
        <text x={x(now)} y={bottom + 32} textAnchor="middle" className="now-label">
          now
        </text>
      </svg>
      <Legend />
    </>
  );
}

/** Legs of one group are tied together at their start time. */
function Groups({ lines, x }: { readonly lines: readonly Line[]; readonly x: Scale }) {
  const groups = new Map<string, { at: number; rows: number[] }>();
  for (const [index, line] of lines.entries()) {
    const id = 'site' in line ? undefined : line.row.coAllocation?.id;
    if (id === undefined || 'site' in line) continue;
    const group = groups.get(id) ?? { at: line.startAt, rows: [] };
    group.rows.push(index);
    groups.set(id, group);
  }
  return [...groups].map(([id, { at, rows }]) => (
    <line
      key={id}
      className="gantt-group"
      x1={x(at)}
      x2={x(at)}
      y1={TOP + ROW * Math.min(...rows) + 3}
      y2={TOP + ROW * Math.max(...rows) + ROW - 3}
    />
  ));
}

function Legend() {
  return (
    <p className="legend">
      {(['queued', 'padding', 'work', 'kept', 'missed'] as const).map((name) => (
        <span key={name}>
          <svg viewBox="0 0 16 10" className="gantt-key" aria-hidden="true">
            <rect x="0" y="1" width="16" height="8" className={`gantt-${name}`} {...hatchOf(name)} />
          </svg>{' '}
          {LEGEND[name]}
        </span>
      ))}
      <span className="muted">
        Struck through: another leg of its group won, or it was cancelled. The mark is the promised start; dashed lines
        tie the legs of a group.
      </span>
    </p>
  );
}

const LEGEND = {
  queued: 'promised or submitted',
  padding: 'padding, holding its processors',
  work: 'its own work',
  kept: 'kept',
  missed: 'missed',
};
