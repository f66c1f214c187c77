import { formatMoment } from './format.ts';
import { type Scale, timeTicks } from './scale.ts';

const LABEL_PIXELS = 90;
const DRAWING_PIXELS = 720;

/** Whether a label there is not cut off by the edge of the drawing. */
function isWithin(pixels: number): boolean {
  return pixels >= LABEL_PIXELS / 2 && pixels <= DRAWING_PIXELS - LABEL_PIXELS / 2;
}

interface TimeAxisProps {
  readonly from: number;
  readonly to: number;
  readonly x: Scale;
  /** Where the line is; labels are below. */
  readonly y: number;
  readonly top: number;
}

/** Moments under a chart, each with its line. */
export function TimeAxis({ from, to, x, y, top }: TimeAxisProps) {
  const most = Math.max(2, Math.floor((x(to) - x(from)) / LABEL_PIXELS));
  return (
    <g className="axis">
      <line x1={x(from)} x2={x(to)} y1={y} y2={y} />
      {timeTicks(from, to, most).map((at) => (
        <g key={at}>
          <line className="grid" x1={x(at)} x2={x(at)} y1={top} y2={y} />
          {isWithin(x(at)) && (
            <text x={x(at)} y={y + 15} textAnchor="middle">
              {formatMoment(at)}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
