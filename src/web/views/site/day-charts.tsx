import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatCount, formatSeconds, formatShare } from '../../ui/format.ts';
import { SHARE_STEPS, STEPS_SECONDS, WHOLE_STEPS } from '../../ui/scale.ts';
import { type Series, SeriesChart, type SeriesChartProps } from '../../ui/series-chart.tsx';
import type { SiteRecord } from './site.graphql.ts';

type Days = SiteRecord['scoreDays'];

const COLORS = ['--accent', '--warn', '--good', '--bad'] as const;
const DAY = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: '2-digit', month: 'short', year: 'numeric' });

/** How far off forecasts were day by day, how often within their bounds, and what became of promises. */
export function DayCharts({ quantity, days }: { readonly quantity: string; readonly days: Days }) {
  const own = days.filter((day) => day.quantity === quantity);
  const promised = days.filter(({ promises }) => promises > 0);
  return (
    <>
      <DayChart
        title={`Mean error of ${quantity} by day`}
        days={own.filter(({ meanAbsoluteError }) => meanAbsoluteError !== null)}
        {...unitOf(quantity)}
        of={({ meanAbsoluteError }) => meanAbsoluteError}
        count={({ count }) => count}
      />
      <DayChart
        title={`Within the 95 % bound of ${quantity} by day`}
        days={own.filter(({ coverage95 }) => coverage95 !== null)}
        {...SHARES}
        of={({ coverage95 }) => coverage95}
        count={({ count }) => count}
        due={0.95}
      />
      <PromiseChart days={promised} />
    </>
  );
}

/** How values are written, and how far apart those beside an axis may be. */
type Unit = Pick<SeriesChartProps, 'format' | 'steps'>;

const SHARES: Unit = { format: (value) => formatShare(value), steps: SHARE_STEPS };
const MEBIBYTE = 2 ** 20;

function unitOf(quantity: string): Unit {
  if (quantity.endsWith('-bytes')) {
    const steps = WHOLE_STEPS.map((step) => step * MEBIBYTE);
    return { format: (value) => `${formatCount(value / MEBIBYTE)} MiB`, steps };
  }
  return quantity === 'load'
    ? { format: formatCount, steps: WHOLE_STEPS }
    : { format: formatSeconds, steps: STEPS_SECONDS };
}

interface DayChartProps extends Unit {
  readonly title: string;
  readonly days: Days;
  readonly of: (day: Days[number]) => number | null;
  readonly count: (day: Days[number]) => number;
  /** What ought to come out. */
  readonly due?: number;
}

function DayChart({ title, days, format, steps, of, count, due }: DayChartProps) {
  const moments = [...new Set(days.map(({ startsAt }) => startsAt))].sort();
  // One day is no line; the table of scores says as much.
  if (moments.length < 2) return null;
  const predictors = [...new Set(days.map(({ predictor }) => predictor))];
  const series: Series[] = predictors.map((predictor, index) => {
    const byDay = new Map(days.filter((day) => day.predictor === predictor).map((day) => [day.startsAt, of(day)]));
    const color = COLORS[index % COLORS.length] ?? '--accent';
    return { label: predictor, values: moments.map((at) => byDay.get(at) ?? null), color };
  });
  if (due !== undefined)
    series.push({ label: 'due', values: moments.map(() => due), color: '--muted', isDashed: true });
  return (
    <ChartFrame
      title={title}
      note="days of UTC"
      summary={`Of ${predictors.length} predictors over ${moments.length} days.`}
      headings={['day', 'predictor', 'value', 'count']}
      rows={days.map((day) => [DAY.format(new Date(day.startsAt)), day.predictor, of(day), count(day)])}
    >
      <SeriesChart
        seconds={moments.map((at) => Date.parse(at) / 1000)}
        series={series}
        {...{ format, steps }}
        range={due === undefined ? null : [0, 1]}
      />
    </ChartFrame>
  );
}

/** What was promised day by day, and how much of it was kept. */
function PromiseChart({ days }: { readonly days: Days }) {
  const moments = [...new Set(days.map(({ startsAt }) => startsAt))].sort();
  if (moments.length < 2) return null;
  const sums = moments.map((at) => {
    const those = days.filter(({ startsAt }) => startsAt === at);
    const count = those.reduce((sum, { promises }) => sum + promises, 0);
    const mean = (of: (day: Days[number]) => number | null) =>
      those.reduce((sum, day) => sum + day.promises * (of(day) ?? 0), 0) / count;
    return { at, count, promised: mean((day) => day.promisedProbability), kept: mean((day) => day.keptShare) };
  });
  return (
    <ChartFrame
      title="Promised against kept by day"
      note="days of UTC"
      summary={`Over ${moments.length} days with promises.`}
      headings={['day', 'promised', 'kept', 'count']}
      rows={sums.map(({ at, promised, kept, count }) => [DAY.format(new Date(at)), promised, kept, count])}
    >
      <SeriesChart
        seconds={moments.map((at) => Date.parse(at) / 1000)}
        series={[
          { label: 'kept', values: sums.map(({ kept }) => kept), color: '--good' },
          { label: 'promised', values: sums.map(({ promised }) => promised), color: '--warn', isDashed: true },
        ]}
        range={[0, 1]}
        {...SHARES}
      />
    </ChartFrame>
  );
}
