import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatCount, formatShare } from '../../ui/format.ts';
import { KEYS } from '../../ui/keys.ts';
import { scaleOf } from '../../ui/scale.ts';
import type { SiteRecord } from './site.graphql.ts';

type Points = SiteRecord['reliability'];

const SIDE = 300;
const x = scaleOf(0, 1, 50, SIDE - 22);
const y = scaleOf(0, 1, SIDE - 40, 10);
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** How often came true what was stated with a probability: on the diagonal is right, below it was too sure. */
export function ReliabilityChart({ quantity, points }: { readonly quantity: string; readonly points: Points }) {
  if (points.length === 0) return null;
  const predictors = [...new Set(points.map(({ predictor }) => predictor))];
  const worst = points.reduce((one, other) => (distanceOf(other) > distanceOf(one) ? other : one));
  return (
    <ChartFrame
      title={`Reliability of ${quantity}`}
      note="how often it came so, against how surely it was said"
      summary={`Farthest off: ${worst.predictor} said ${formatShare(worst.stated)}, and ${formatShare(worst.observed)} came so, of ${worst.count}.`}
      headings={['predictor', 'stated', 'observed', 'count']}
      rows={points.map(({ predictor, stated, observed, count }) => [predictor, stated, observed, count])}
    >
      <svg viewBox={`0 0 ${SIDE} ${SIDE}`} className="drawing square" aria-hidden="true">
        <Axes />
        {predictors.map((predictor, index) => (
          <Curve key={predictor} kind={index % KEYS} points={points.filter((point) => point.predictor === predictor)} />
        ))}
      </svg>
      <p className="legend">
        {predictors.map((predictor, index) => (
          <span key={predictor} className={`key key-${index % KEYS}`}>
            {predictor}
          </span>
        ))}
      </p>
    </ChartFrame>
  );
}

function distanceOf({ stated, observed }: Points[number]): number {
  return Math.abs(stated - observed);
}

function Axes() {
  return (
    <g className="axis">
      {TICKS.map((share) => (
        <g key={share}>
          <line className="grid" x1={x(0)} x2={x(1)} y1={y(share)} y2={y(share)} />
          <line className="grid" x1={x(share)} x2={x(share)} y1={y(0)} y2={y(1)} />
          <text x={x(0) - 6} y={y(share) + 4} textAnchor="end">
            {formatShare(share)}
          </text>
          <text x={x(share)} y={y(0) + 16} textAnchor="middle">
            {formatShare(share)}
          </text>
        </g>
      ))}
      <line x1={x(0)} x2={x(1)} y1={y(0)} y2={y(1)} className="diagonal" />
      <text x={(x(0) + x(1)) / 2} y={SIDE - 6} textAnchor="middle">
        stated
      </text>
    </g>
  );
}

function Curve({ points, kind }: { readonly points: Points; readonly kind: number }) {
  return (
    <g className={`mark mark-${kind}`}>
      <polyline points={points.map(({ stated, observed }) => `${x(stated)},${y(observed)}`).join(' ')} />
      {points.map(({ stated, observed, count }) => (
        <circle key={stated} cx={x(stated)} cy={y(observed)} r={3}>
          <title>{`${formatShare(observed, 1)} for ${formatShare(stated, 1)}, of ${formatCount(count)}`}</title>
        </circle>
      ))}
    </g>
  );
}
