import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatExactMoment, formatShare } from '../../ui/format.ts';
import { SHARE_STEPS } from '../../ui/scale.ts';
import { SeriesChart } from '../../ui/series-chart.tsx';

interface TrajectoryChartProps {
  readonly points: readonly { readonly submitAt: string; readonly probability: number }[];
  readonly site: string;
  readonly asked: number;
  readonly chosenAt: string | null;
}

/** How surely the job runs at its start time, by when it is submitted. */
export function TrajectoryChart({ points, site, asked, chosenAt }: TrajectoryChartProps) {
  if (points.length < 2) return null;
  const inOrder = [...points].sort((left, right) => Date.parse(left.submitAt) - Date.parse(right.submitAt));
  return (
    <ChartFrame
      title="How surely, by when it is submitted"
      note={`at ${site}`}
      summary={
        chosenAt ? `It would be submitted at ${formatExactMoment(chosenAt)}.` : 'No submission time is sure enough.'
      }
      headings={['submitted at', 'probability']}
      rows={inOrder.map(({ submitAt, probability }) => [formatExactMoment(submitAt), probability])}
    >
      <SeriesChart
        seconds={inOrder.map(({ submitAt }) => Date.parse(submitAt) / 1000)}
        series={[
          { label: 'probability', values: inOrder.map(({ probability }) => probability), color: '--accent' },
          { label: 'asked for', values: inOrder.map(() => asked), color: '--warn', isDashed: true },
        ]}
        range={[0, 1]}
        format={(value) => formatShare(value)}
        steps={SHARE_STEPS}
      />
    </ChartFrame>
  );
}
