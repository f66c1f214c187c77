import { useAnswer } from '../../api/use-answer.ts';
import { isOutdated } from '../../api/use-live.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatExactMoment, formatMoment, formatProcessorHours } from '../../ui/format.ts';
import { KEYS } from '../../ui/keys.ts';
import { Age } from '../../ui/moment.tsx';
import { Failure } from '../../ui/notice.tsx';
import { scaleOf, timeTicks } from '../../ui/scale.ts';
import type { ReserveTerms } from './form.ts';
import { FINISH_BY_SIZE, type SizedFinish } from './reserve.graphql.ts';

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 100;
const RIGHT = 700;
const TOP = 10;
const BOTTOM = 190;

/** When the same work would be over if it were submitted as soon as possible, by how many processors it gets. */
export function FinishBySize({ terms }: { readonly terms: ReserveTerms }) {
  const { name, script, processors, walltimeSeconds, siteIds } = terms;
  const sizes = { from: Math.max(1, Math.floor(processors / 4)), to: processors * 4 };
  const speedup = { model: 'AMDAHL' as const, serialShare: 0.05 };
  const input = { name, script, processors, walltimeSeconds, siteIds, sizes, speedup };
  const [result] = useAnswer({ query: FINISH_BY_SIZE, variables: { input } });
  const { data, error } = result;
  if (error && !data) return <Failure error={error} />;
  const finishes = data?.plan.finishBySize ?? [];
  const chosen = finishes.find(({ isChosen }) => isChosen);
  if (!data || !chosen) return null;
  return (
    <ChartFrame
      title="Finish against size, without a promise"
      isBusy={isOutdated(result, { input })}
      note={
        <>
          a twentieth of it serial, <Age at={data.plan.madeAt} of="planned" />
        </>
      }
      summary={`Soonest with ${chosen.processors} processors at ${chosen.site.name}: ${formatExactMoment(chosen.finishAt)}.`}
      headings={['site', 'processors', 'finish', '5 % before', '95 % before', 'processor-seconds']}
      rows={finishes.map((finish) => [
        ...[finish.site.name, finish.processors, formatExactMoment(finish.finishAt)],
        ...[finish.lowAt, finish.highAt].map((at) => (at === null ? null : formatExactMoment(at))),
        finish.chargeProcessorSeconds,
      ])}
    >
      <Curve finishes={finishes} />
    </ChartFrame>
  );
}

function Curve({ finishes }: { readonly finishes: readonly SizedFinish[] }) {
  const sizes = [...new Set(finishes.map(({ processors }) => processors))].sort((left, right) => left - right);
  const sites = [...new Set(finishes.map(({ site }) => site.name))].sort();
  const moments = finishes.flatMap(({ finishAt, lowAt, highAt }) =>
    [finishAt, lowAt ?? finishAt, highAt ?? finishAt].map(Date.parse),
  );
  const [from, to] = [Math.min(...moments), Math.max(...moments)];
  const y = scaleOf(from, to, BOTTOM - 6, TOP + 6);
  const x = (processors: number, site: string) =>
    LEFT +
    ((sizes.indexOf(processors) + 0.5) * (RIGHT - LEFT)) / sizes.length +
    (sites.indexOf(site) - (sites.length - 1) / 2) * 9;
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="drawing" aria-hidden="true">
        <g className="axis">
          {timeTicks(from, to, 6).map((at) => (
            <g key={at}>
              <line className="grid" x1={LEFT} x2={RIGHT} y1={y(at)} y2={y(at)} />
              <text x={LEFT - 6} y={y(at) + 4} textAnchor="end">
                {formatMoment(at)}
              </text>
            </g>
          ))}
          <line x1={LEFT} x2={RIGHT} y1={BOTTOM} y2={BOTTOM} />
          {sizes.map((size, index) => (
            <text
              key={size}
              x={LEFT + ((index + 0.5) * (RIGHT - LEFT)) / sizes.length}
              y={BOTTOM + 15}
              textAnchor="middle"
            >
              {size} processors
            </text>
          ))}
        </g>
        {finishes.map((finish) => (
          <Mark
            key={`${finish.site.id} ${finish.processors}`}
            finish={finish}
            kind={sites.indexOf(finish.site.name) % KEYS}
            at={x(finish.processors, finish.site.name)}
            y={y}
          />
        ))}
      </svg>
      <p className="legend">
        {sites.map((site, index) => (
          <span key={site} className={`key key-${index % KEYS}`}>
            <bdi>{site}</bdi>
          </span>
        ))}
        <span className="muted">bars reach from 5 % to 95 %; the chosen one is ringed</span>
      </p>
    </>
  );
}

interface MarkProps {
  readonly finish: SizedFinish;
  readonly kind: number;
  readonly at: number;
  readonly y: (value: number) => number;
}

function Mark({ finish: { finishAt, lowAt, highAt, isChosen, chargeProcessorSeconds }, kind, at, y }: MarkProps) {
  const middle = y(Date.parse(finishAt));
  return (
    <g className={`mark mark-${kind}`}>
      <title>{`${formatExactMoment(finishAt)}, ${formatProcessorHours(chargeProcessorSeconds)}`}</title>
      {lowAt && highAt && <line x1={at} x2={at} y1={y(Date.parse(lowAt))} y2={y(Date.parse(highAt))} />}
      <circle cx={at} cy={middle} r={4} />
      {isChosen && <circle className="ring" cx={at} cy={middle} r={8} />}
    </g>
  );
}
