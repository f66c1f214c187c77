import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useStore } from '../api/store.ts';
import { theme } from '../app/theme.ts';
import { formatMoment } from './format.ts';

/** One line of a chart. */
export interface Series {
  readonly label: string;
  /** One for each moment; null where there is none. */
  readonly values: readonly (number | null)[];
  /** Name of a colour of the theme, for example --accent. */
  readonly color: string;
  readonly isDashed?: boolean;
}

/** What a chart shows, and how. */
export interface SeriesChartProps {
  /** Moments since the epoch, ascending. */
  readonly seconds: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** How far apart values beside the axis may be, smallest first: each has a text of its own. */
  readonly steps: readonly number[];
  /** Of the values; as far as they go when absent. */
  readonly range?: readonly [number, number] | null;
  readonly height?: number;
}

const AXIS_PIXELS = 64;
const TIME_AXIS_PIXELS = 32;

/** What is drawn, as a text: drawn anew only when it is another one. */
type Drawn = Required<Pick<SeriesChartProps, 'seconds' | 'series' | 'steps' | 'height'>> & {
  range: SeriesChartProps['range'] | null;
};

/** Lines over time. What it shows is told as a table by the frame around it. */
export function SeriesChart({ seconds, series, format, steps, range = null, height = 200 }: SeriesChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const formatNow = useRef(format);
  formatNow.current = format;
  const shown = useStore(theme);
  const text = JSON.stringify({ seconds, series, steps, range, height, shown });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const drawn = JSON.parse(text) as Drawn;
    const chart = new uPlot(optionsOf(element, drawn, formatNow.current), valuesOf(drawn), element);
    const resizing = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: drawn.height }));
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      chart.destroy();
    };
  }, [text]);
  return <div ref={frame} className="series" aria-hidden="true" />;
}

function valuesOf({ seconds, series }: Drawn): uPlot.AlignedData {
  return [[...seconds], ...series.map(({ values }) => [...values])];
}

function optionsOf(
  element: HTMLElement,
  { series, steps, range, height }: Drawn,
  format: SeriesChartProps['format'],
): uPlot.Options {
  const [line, muted] = ['--line', '--muted'].map((name) => colorOf(element, name)) as [string, string];
  const axis = { stroke: muted, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  return {
    width: element.clientWidth,
    height,
    // The last moment of the axis has its place.
    padding: [null, 44, null, null],
    legend: { live: false },
    cursor: { drag: { x: false, y: false } },
    scales: range ? { y: { range: [range[0], range[1]] } } : {},
    axes: [
      {
        ...axis,
        space: 100,
        size: TIME_AXIS_PIXELS,
        values: (_chart, splits) => splits.map((at) => formatMoment(at * 1000)),
      },
      { ...axis, size: AXIS_PIXELS, incrs: [...steps], values: (_chart, splits) => splits.map(format) },
    ],
    series: [
      { label: 'when', value: (_chart, at) => (at === null ? '' : formatMoment(at * 1000)) },
      ...series.map(({ label, color, isDashed = false }) => ({
        label,
        stroke: colorOf(element, color),
        width: 1.5,
        ...(isDashed && { dash: [6, 4] }),
        points: { show: false },
        value: (_chart: uPlot, value: number | null) => (value === null ? '' : format(value)),
      })),
    ],
  };
}

/** What a colour of the theme is now; a canvas knows no variables. */
function colorOf(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
