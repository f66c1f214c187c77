import { useLive } from '../../api/use-live.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatCount, formatExactMoment } from '../../ui/format.ts';
import { Age } from '../../ui/moment.tsx';
import { Failure } from '../../ui/notice.tsx';
import { WHOLE_STEPS } from '../../ui/scale.ts';
import { SeriesChart } from '../../ui/series-chart.tsx';
import { SITE_LOAD, THIS_SITE_CHANGED } from './site.graphql.ts';

const CALM_MILLISECONDS = 60_000;

/** The processors that jobs of the coming day will ask for, hour by hour. */
export function LoadChart({ id }: { readonly id: string }) {
  const changes = { query: THIS_SITE_CHANGED, variables: { id }, calmMilliseconds: CALM_MILLISECONDS };
  const { data, error } = useLive(SITE_LOAD, { id }, changes);
  if (error && !data) return <Failure error={error} />;
  const forecast = data?.site?.loadForecast;
  if (!forecast || forecast.slots.length === 0) return null;
  const { slots, predictor, madeAt } = forecast;
  const whole = (value: number | null) => (value === null ? null : Math.round(value));
  const [expected, middle, high] = [
    slots.map(({ processors }) => whole(processors)),
    slots.map(({ p50 }) => whole(p50)),
    slots.map(({ p95 }) => whole(p95)),
  ];
  return (
    <ChartFrame
      title="Load forecast"
      note={
        <>
          processors that the jobs handed in will ask for, by {predictor}, <Age at={madeAt} of="made" />
        </>
      }
      summary={`In the first hour ${expected[0] ?? 'an unknown number of'} processors are expected to be asked for.`}
      headings={['hour from', 'expected', 'as probably below', '95 % bound']}
      rows={slots.map(({ startsAt }, index) => [
        ...[formatExactMoment(startsAt), expected[index] ?? null, middle[index] ?? null, high[index] ?? null],
      ])}
    >
      <SeriesChart
        seconds={slots.map(({ startsAt }) => Date.parse(startsAt) / 1000)}
        series={[
          { label: 'expected', values: expected, color: '--accent' },
          { label: 'as probably below', values: middle, color: '--good' },
          { label: '95 % bound', values: high, color: '--warn', isDashed: true },
        ]}
        format={formatCount}
        steps={WHOLE_STEPS}
      />
    </ChartFrame>
  );
}
