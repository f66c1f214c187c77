import { useServiceNow } from '../../api/clock.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatExactMoment, formatSeconds, formatWord } from '../../ui/format.ts';
import { scaleOf } from '../../ui/scale.ts';
import { TimeAxis } from '../../ui/time-axis.tsx';
import type { JobDetail } from './job.graphql.ts';

const WIDTH = 720;
const HEIGHT = 74;
const LEFT = 10;
const RIGHT = 700;

interface Span {
  readonly state: string;
  readonly from: number;
  readonly to: number;
}

interface Fact {
  readonly at: number;
  readonly what: string;
}

/** A job's life: its states as lengths of time, and what happened as a table. */
export function Timeline({ job }: { readonly job: JobDetail }) {
  const now = useServiceNow();
  const spans = spansOf(job, now);
  const facts = factsOf(job);
  const from = spans[0]?.from ?? now;
  const to = Math.max(spans.at(-1)?.to ?? now, from + 1000);
  const x = scaleOf(from, to, LEFT, RIGHT);
  return (
    <ChartFrame
      title="What happened"
      summary={spans
        .map(({ state, from: begin, to: end }) => `${state} for ${formatSeconds((end - begin) / 1000)}`)
        .join(', ')}
      headings={['when', 'what']}
      rows={facts.map(({ at, what }) => [formatExactMoment(at), what])}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="drawing" aria-hidden="true">
        <TimeAxis from={from} to={to} x={x} y={46} top={8} />
        {spans.map((span) => (
          <g key={span.state}>
            <rect
              className={`span span-${span.state}`}
              x={x(span.from)}
              y={16}
              width={Math.max(1, x(span.to) - x(span.from))}
              height={22}
            />
            {x(span.to) - x(span.from) > 90 && (
              <text x={x(span.from) + 5} y={31} className="span-label">
                {span.state} {formatSeconds((span.to - span.from) / 1000)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <ol className="facts">
        {facts.map(({ at, what }) => (
          <li key={`${at} ${what}`}>
            <time dateTime={new Date(at).toISOString()}>{formatExactMoment(at)}</time> <bdi>{what}</bdi>
          </li>
        ))}
      </ol>
    </ChartFrame>
  );
}

function spansOf(job: JobDetail, now: number): Span[] {
  const end = job.endedAt ? Date.parse(job.endedAt) : now;
  const marks: [string, string | null][] = [
    ['held', job.createdAt],
    ['queued', job.submittedAt],
    ['running', job.startedAt],
  ];
  const known = marks.flatMap(([state, at]) => (at === null ? [] : [{ state, from: Date.parse(at) }]));
  return known.map(({ state, from }, index) => ({ state, from, to: Math.max(from, known[index + 1]?.from ?? end) }));
}

function factsOf(job: JobDetail): Fact[] {
  const { plan, reservation } = job;
  const facts: [string | null | undefined, string][] = [
    [job.createdAt, 'asked for'],
    [plan?.madeAt, plan?.revision ? `planned anew, ${plan.revision} times by now` : 'planned'],
    ...job.submissions.map(({ intendedAt, site, state, siteSays, nativeId }): [string, string] => [
      intendedAt,
      `handed to ${site.name}: ${formatWord(state)}${nativeId ? ` as ${nativeId}` : ''}${siteSays ? `, "${siteSays}"` : ''}`,
    ]),
    [job.startedAt, `started at ${job.site?.name ?? 'its site'}`],
    [job.cancelRequestedAt, 'asked to be cancelled'],
    [reservation?.decidedAt, `the promise was ${formatWord(reservation?.state ?? '')}`],
    [job.endedAt, `ended: ${formatWord(job.outcome ?? 'unknown')}`],
  ];
  return facts
    .flatMap(([at, what]) => (at ? [{ at: Date.parse(at), what }] : []))
    .sort((left, right) => left.at - right.at);
}
