import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatCount, formatExactMoment, formatMoment } from '../../ui/format.ts';
import { WHOLE_STEPS } from '../../ui/scale.ts';
import { SeriesChart } from '../../ui/series-chart.tsx';
import type { SiteDetail } from './site.graphql.ts';

type Observations = SiteDetail['observations'];

/** What the site showed of its queue and of its processors, look by look. */
export function QueueCharts({ observations }: { readonly observations: Observations }) {
  const [first, last] = [observations[0], observations.at(-1)];
  if (!first || !last || first === last) return null;
  const seconds = observations.map(({ observedAt }) => Date.parse(observedAt) / 1000);
  const of = (name: 'waitingJobs' | 'runningJobs' | 'waitingProcessors' | 'processors') =>
    observations.map((one) => one[name]);
  const busy = observations.map(({ processors, freeProcessors }) => processors - freeProcessors);
  const note = `the newest ${formatCount(observations.length)} looks, from ${formatMoment(first.observedAt)} on`;
  const rows = (values: readonly (readonly number[])[]) =>
    observations.map(({ observedAt }, index) => [
      formatExactMoment(observedAt),
      ...values.map((column) => column[index] ?? null),
    ]);
  return (
    <>
      <ChartFrame
        title="Jobs in the queue and running"
        note={note}
        summary={`Lately ${last.waitingJobs} waited and ${last.runningJobs} ran.`}
        headings={['observed at', 'waiting jobs', 'running jobs']}
        rows={rows([of('waitingJobs'), of('runningJobs')])}
      >
        <SeriesChart
          seconds={seconds}
          series={[
            { label: 'waiting jobs', values: of('waitingJobs'), color: '--warn' },
            { label: 'running jobs', values: of('runningJobs'), color: '--accent' },
          ]}
          format={formatCount}
          steps={WHOLE_STEPS}
        />
      </ChartFrame>
      <ChartFrame
        title="Processors in use and asked for"
        note={note}
        summary={`Lately ${busy.at(-1)} of ${last.processors} were in use, and the queue asked for ${last.waitingProcessors}.`}
        headings={['observed at', 'processors', 'in use', 'asked for by the queue']}
        rows={rows([of('processors'), busy, of('waitingProcessors')])}
      >
        <SeriesChart
          seconds={seconds}
          series={[
            { label: 'in use', values: busy, color: '--accent' },
            { label: 'asked for by the queue', values: of('waitingProcessors'), color: '--warn' },
            { label: 'processors', values: of('processors'), color: '--muted', isDashed: true },
          ]}
          format={formatCount}
          steps={WHOLE_STEPS}
        />
      </ChartFrame>
    </>
  );
}
