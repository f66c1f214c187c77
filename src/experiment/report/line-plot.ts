import type { Figure } from '../experiment.ts';
import { escaped } from './escaped.ts';

/**
 * A figure as a heading and an SVG: lines over a common axis from 0, with a legend. Empty text when it has no points.
 */
export function linePlot({ title, x, y, series }: Figure): string {
  const points = series.flatMap((one) => one.points);
  if (points.length === 0) return '';
  const largest = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis as 0 | 1]), Number.MIN_VALUE));
  const [largestX = 1, largestY = 1] = largest;
  const across = (value: number) => LEFT + (value / largestX) * WIDTH;
  const up = (value: number) => TOP + HEIGHT - (value / largestY) * HEIGHT;
  const lines = series.map(({ name, points: own }, i) => {
    const colour = COLOURS[i % COLOURS.length];
    const path = own.map(([px, py]) => `${across(px).toFixed(1)},${up(py).toFixed(1)}`).join(' ');
    const legend = `<text x="${LEFT + WIDTH + 10}" y="${TOP + 14 + 18 * i}" style="fill:${colour}">${escaped(name)}</text>`;
    return `<polyline points="${path}" stroke="${colour}"></polyline>${legend}`;
  });
  const label = (value: number) => escaped(String(Number(value.toPrecision(3))));
  return `<h2>${escaped(title)}</h2>
<svg viewBox="0 0 ${LEFT + WIDTH + RIGHT} ${TOP + HEIGHT + BOTTOM}" width="${LEFT + WIDTH + RIGHT}" role="img" aria-label="${escaped(title)}">
<line class="axis" x1="${LEFT}" y1="${up(0)}" x2="${LEFT + WIDTH}" y2="${up(0)}"></line>
<line class="axis" x1="${LEFT}" y1="${TOP}" x2="${LEFT}" y2="${up(0)}"></line>
<text x="${LEFT - 6}" y="${up(0)}" text-anchor="end">0</text>
<text x="${LEFT - 6}" y="${TOP + 10}" text-anchor="end">${label(largestY)}</text>
<text x="${LEFT + WIDTH}" y="${up(0) + 18}" text-anchor="end">${label(largestX)}</text>
<text x="${LEFT + WIDTH / 2}" y="${up(0) + 34}" text-anchor="middle">${escaped(x)}</text>
<text x="${LEFT}" y="${TOP - 8}">${escaped(y)}</text>
${lines.join('\n')}
</svg>`;
}

const WIDTH = 560;
const HEIGHT = 260;
const LEFT = 60;
const RIGHT = 200;
const TOP = 30;
const BOTTOM = 44;
const COLOURS = ['#3a6ea5', '#d8973c', '#4c8c4a', '#a54a6e', '#6b5ca5', '#777777'] as const;
