import { useLive } from '../../api/use-live.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatCount, formatSeconds } from '../../ui/format.ts';
import { Age } from '../../ui/moment.tsx';
import { Failure } from '../../ui/notice.tsx';
import { SITE_WAITS, type SiteDetail, type SizedWait, THIS_SITE_CHANGED } from './site.graphql.ts';
import { sizesOf, WALLTIMES } from './sizes.ts';

const CALM_MILLISECONDS = 15_000;

/** How long a job that is submitted now would wait, by its size and walltime. */
export function WaitMap({ site }: { readonly site: SiteDetail }) {
  const { id, processors, usableProcessors, removedAt } = site;
  const sizes = sizesOf(usableProcessors ?? processors);
  const asked = { id, processors: sizes, walltimeSeconds: [...WALLTIMES] };
  const changes = { query: THIS_SITE_CHANGED, variables: { id }, calmMilliseconds: CALM_MILLISECONDS };
  const { data, error, readAt } = useLive(SITE_WAITS, asked, changes, removedAt !== null);
  if (error && !data) return <Failure error={error} />;
  const waits = data?.site?.waitsBySize ?? [];
  if (waits.length === 0) return null;
  const predictor = waits.find(({ forecast }) => forecast)?.forecast?.predictor;
  const smallest = waits[0]?.forecast?.p50 ?? null;
  return (
    <ChartFrame
      title="Wait by size and walltime"
      note={
        <>
          if submitted now, in the default queue{predictor && `, by ${predictor}`}; as probably shorter as longer,{' '}
          <Age at={readAt} />
        </>
      }
      summary={
        smallest === null ? 'Too little is known.' : `The smallest job waits ${formatSeconds(smallest)} as a rule.`
      }
      headings={['processors', 'walltime, seconds', 'median wait, seconds', '95 % bound, seconds', 'why none']}
      rows={waits.map(({ forecast, explanation, ...size }) => [
        ...[size.processors, size.walltimeSeconds, forecast?.p50 ?? null, forecast?.p95 ?? null, explanation],
      ])}
    >
      <HeatTable sizes={sizes} waits={waits} />
    </ChartFrame>
  );
}

function HeatTable({ sizes, waits }: { readonly sizes: readonly number[]; readonly waits: readonly SizedWait[] }) {
  const known = waits.flatMap(({ forecast }) => forecast?.p50 ?? []);
  const heat = (seconds: number) => heatOf(seconds, Math.min(...known), Math.max(...known));
  return (
    <table className="week">
      <thead>
        <tr>
          <th scope="col">Processors</th>
          {WALLTIMES.map((walltime) => (
            <th key={walltime} scope="col">
              {formatSeconds(walltime)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sizes.map((size) => (
          <tr key={size}>
            <th scope="row">{formatCount(size)}</th>
            {WALLTIMES.map((walltime) => (
              <HeatCell
                key={walltime}
                wait={waits.find((one) => one.processors === size && one.walltimeSeconds === walltime)}
                heat={heat}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** 0 for the shortest wait that is shown, 3 for the longest, by proportions: a day is to an hour as that to minutes. */
function heatOf(seconds: number, least: number, most: number): number {
  const [from, to] = [Math.log(least + 60), Math.log(most + 60)];
  return to > from ? Math.min(3, Math.floor((4 * (Math.log(seconds + 60) - from)) / (to - from))) : 0;
}

interface HeatCellProps {
  readonly wait: SizedWait | undefined;
  readonly heat: (seconds: number) => number;
}

function HeatCell({ wait, heat }: HeatCellProps) {
  if (!wait) return <td />;
  const { forecast, explanation } = wait;
  if (!forecast) return <td title={explanation ?? ''}>never</td>;
  if (forecast.p50 === null) return <td className="refused">not known</td>;
  const bound = forecast.p95 === null ? '' : `95 %: at most ${formatSeconds(forecast.p95)}`;
  return (
    <td className={`heat-${heat(forecast.p50)}`} title={bound}>
      {formatSeconds(forecast.p50)}
    </td>
  );
}
