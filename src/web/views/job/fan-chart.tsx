import { useServiceNow } from '../../api/clock.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatExactMoment, formatMoment, formatSeconds } from '../../ui/format.ts';
import { scaleOf } from '../../ui/scale.ts';
import { TimeAxis } from '../../ui/time-axis.tsx';
import { type Bound, type StartFan, startFan } from './start-fan.ts';

const WIDTH = 720;
const HEIGHT = 130;
const LEFT = 60;
const RIGHT = 700;
const ROW = 26;

/** Of a span whose end is later than the forecast reaches. */
const OPEN = 'later than history supports';

interface FanChartProps {
  /** When it was or is to be submitted, in milliseconds since the epoch. */
  readonly submitAt: number;
  readonly bounds: readonly Bound[];
  /** Whether it waits in the site's queue: then what has passed of the forecast is out of the question. */
  readonly isWaiting: boolean;
  readonly predictor: string;
}

/** When a job starts: spans of 50, 80 and 95 %, as they are now. */
export function FanChart({ submitAt, bounds, isWaiting, predictor }: FanChartProps) {
  const now = useServiceNow();
  const waited = isWaiting ? Math.max(0, (now - submitAt) / 1000) : 0;
  const fan = startFan(bounds, waited);
  const moment = (seconds: number) => submitAt + seconds * 1000;
  const show = (seconds: number | null) => (seconds === null ? null : formatExactMoment(moment(seconds)));
  const rows = fan.spans.map(({ probability, low, high }) => [`${probability * 100} %`, show(low), show(high) ?? OPEN]);
  const middle = fan.middle === null ? null : formatMoment(moment(fan.middle));
  return (
    <ChartFrame
      title="When it starts"
      note={isWaiting ? `by ${predictor}, given ${formatSeconds(waited)} of waiting` : `by ${predictor}`}
      summary={middle === null ? 'Longer than history supports a forecast.' : `As probably before ${middle} as after.`}
      headings={['probability', 'from', 'to']}
      rows={[['middle', show(fan.middle), show(fan.middle)], ...rows]}
    >
      {middle === null ? (
        <p className="muted">It has waited longer than history supports a forecast of.</p>
      ) : (
        <Spans fan={fan} now={now} moment={moment} />
      )}
    </ChartFrame>
  );
}

interface SpansProps {
  readonly fan: StartFan;
  readonly now: number;
  readonly moment: (seconds: number) => number;
}

function Spans({ fan, now, moment }: SpansProps) {
  const known = fan.spans.flatMap(({ low, high }) => [moment(low), ...(high === null ? [] : [moment(high)])]);
  const from = Math.min(now, ...known);
  const to = Math.max(now + 60_000, ...known);
  const x = scaleOf(from, to, LEFT, RIGHT);
  const bottom = ROW * 3 + 16;
  const firstOpen = fan.spans.findIndex(({ high }) => high === null);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="drawing" aria-hidden="true">
      <TimeAxis from={from} to={to} x={x} y={bottom} top={8} />
      {fan.spans.map(({ probability, low, high }, index) => (
        <g key={probability}>
          <text x={LEFT - 8} y={ROW * index + 26} textAnchor="end">
            {probability * 100} %
          </text>
          <rect
            className={`band-${index + 1}`}
            x={x(moment(low))}
            y={ROW * index + 13}
            width={Math.max(2, (high === null ? RIGHT : x(moment(high))) - x(moment(low)))}
            height={ROW - 8}
          />
        </g>
      ))}
      {fan.spans.map(
        ({ probability, high }, index) =>
          high === null && <OpenEnd key={probability} y={ROW * index + 13} isNamed={index === firstOpen} />,
      )}
      {fan.middle !== null && (
        <line className="middle" x1={x(moment(fan.middle))} x2={x(moment(fan.middle))} y1={8} y2={bottom} />
      )}
      <line className="now" x1={x(now)} x2={x(now)} y1={8} y2={bottom} />
      <text x={x(now)} y={HEIGHT - 4} textAnchor="start" className="now-label">
        now
      </text>
    </svg>
  );
}

/** An arrow on where a span goes on beyond what is known. */
function OpenEnd({ y, isNamed }: { readonly y: number; readonly isNamed: boolean }) {
  const middle = y + (ROW - 8) / 2;
  return (
    <g className="open-end">
      <path d={`M ${RIGHT} ${y} L ${RIGHT + 16} ${middle} L ${RIGHT} ${y + ROW - 8} Z`} />
      {isNamed && (
        <text x={RIGHT} y={HEIGHT - 4} textAnchor="end">
          {OPEN}
        </text>
      )}
    </g>
  );
}
