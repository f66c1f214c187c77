import { useLive } from '../../api/use-live.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatProcessorHours, formatWord } from '../../ui/format.ts';
import { Age } from '../../ui/moment.tsx';
import { Failure } from '../../ui/notice.tsx';
import { scaleOf } from '../../ui/scale.ts';
import { SITE_CHANGED } from '../jobs/jobs.graphql.ts';
import { LEDGER, type LedgerRow } from './operator.graphql.ts';

const CALM_MILLISECONDS = 60_000;
const KINDS = ['NEEDED', 'PADDING', 'LOST'] as const;
const MONTH = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'short', year: 'numeric' });

const WIDTH = 720;
const LEFT = 170;
const RIGHT = 600;
const ROW = 24;

/** What was charged month by month: own work, padding, and what was lost. */
export function LedgerChart() {
  const { data, error, readAt } = useLive(LEDGER, {}, { query: SITE_CHANGED, calmMilliseconds: CALM_MILLISECONDS });
  if (error && !data) return <Failure error={error} />;
  const rows = data?.operations?.charges;
  if (!rows) return null;
  const lines = linesOf(rows);
  const all = rows.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
  return (
    <ChartFrame
      title="Charges by month"
      note={
        <>
          months of UTC, the last twelve, <Age at={readAt} />
        </>
      }
      summary={`${formatProcessorHours(all)} in all.`}
      headings={['month', 'tenant', 'for', 'processor-seconds', 'entries']}
      rows={rows.map(({ monthStartsAt, tenant, kind, processorSeconds, count }) => [
        ...[MONTH.format(new Date(monthStartsAt)), tenant, formatWord(kind), Math.round(processorSeconds), count],
      ])}
    >
      {lines.length === 0 ? <p className="muted">Nothing was charged yet.</p> : <Bars lines={lines} />}
    </ChartFrame>
  );
}

/** What one tenant was charged in one month, in processor-seconds by kind. */
interface Line {
  readonly name: string;
  readonly spent: readonly number[];
}

function linesOf(rows: readonly LedgerRow[]): Line[] {
  const names = [...new Set(rows.map(nameOf))];
  return names.map((name) => {
    const own = rows.filter((row) => nameOf(row) === name);
    return { name, spent: KINDS.map((kind) => own.find((row) => row.kind === kind)?.processorSeconds ?? 0) };
  });
}

function nameOf({ monthStartsAt, tenant }: LedgerRow): string {
  return `${MONTH.format(new Date(monthStartsAt))}, ${tenant}`;
}

function Bars({ lines }: { readonly lines: readonly Line[] }) {
  const sums = lines.map(({ spent }) => spent.reduce((sum, value) => sum + value, 0));
  const x = scaleOf(0, Math.max(1, ...sums), LEFT, RIGHT);
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${ROW * lines.length + 6}`} className="drawing" aria-hidden="true">
        {lines.map(({ name, spent }, index) => (
          <g key={name}>
            <text x={LEFT - 8} y={ROW * index + 17} textAnchor="end">
              {name}
            </text>
            {KINDS.map((kind, place) => {
              const before = spent.slice(0, place).reduce((sum, value) => sum + value, 0);
              const width = x(before + (spent[place] ?? 0)) - x(before);
              return (
                <rect
                  key={kind}
                  className={`ledger-${kind}`}
                  x={x(before)}
                  y={ROW * index + 5}
                  width={width}
                  height={ROW - 8}
                />
              );
            })}
            <text x={x(sums[index] ?? 0) + 6} y={ROW * index + 17}>
              {formatProcessorHours(sums[index] ?? 0)}
            </text>
          </g>
        ))}
      </svg>
      <p className="legend">
        {KINDS.map((kind) => (
          <span key={kind} className={`key ledger-key-${kind}`}>
            {formatWord(kind)}
          </span>
        ))}
      </p>
    </>
  );
}
