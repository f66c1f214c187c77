import asciichart from 'asciichart';
import { formatSeconds } from '../../domain/duration.ts';
import type { PointAnswer } from '../client/answers.ts';
import colors from './colors.ts';

const WIDTH = 60;
const HEIGHT = 8;

/**
 * Draws the probability of running at `startAt` over the time of submission, with the chosen moment below. Points of
 * equal distance are picked from the trajectory; the chosen one is always among them.
 */
export function renderTrajectory(
  trajectory: readonly PointAnswer[],
  chosenSubmitAt: string | null,
  startAt: string,
): string {
  if (trajectory.length < 2) return colors.dim('  (no submission time is left to choose from)');
  const columns = Math.min(WIDTH, trajectory.length);
  const at = (column: number) => Math.round((column * (trajectory.length - 1)) / (columns - 1));
  const picked = Array.from({ length: columns }, (_, column) => trajectory[at(column)] as PointAnswer);
  const chart = asciichart.plot(
    picked.map(({ probability }) => probability * 100),
    { height: HEIGHT, min: 0, max: 100, format: (value: number) => `${value.toFixed(0).padStart(5)} %` },
  );
  const lead = (point: PointAnswer) => formatSeconds((Date.parse(startAt) - Date.parse(point.submitAt)) / 1000);
  const indent = ' '.repeat(CHART_MARGIN);
  const [first, last] = [picked[0] as PointAnswer, picked.at(-1) as PointAnswer];
  const [left, right] = [`submitted ${lead(first)} before`, `${lead(last)} before`];
  const axis = `${indent}${left}${right.padStart(Math.max(right.length + 1, columns - left.length))}`;
  return [chart, marker(trajectory, chosenSubmitAt, columns, indent, lead), colors.dim(axis)]
    .filter((line) => line !== null)
    .join('\n');
}

/** Columns that asciichart puts before the curve: the label, a space and the axis. */
const CHART_MARGIN = 9;

function marker(
  trajectory: readonly PointAnswer[],
  chosenSubmitAt: string | null,
  columns: number,
  indent: string,
  lead: (point: PointAnswer) => string,
): string | null {
  const chosen = trajectory.findIndex(({ submitAt }) => submitAt === chosenSubmitAt);
  const point = trajectory[chosen];
  if (!point) return null;
  const column = Math.round((chosen * (columns - 1)) / (trajectory.length - 1));
  const words = `${(point.probability * 100).toFixed(0)} % when submitted ${lead(point)} before`;
  const fits = column + words.length + 2 <= columns;
  const text = fits ? `${' '.repeat(column)}▲ ${words}` : `${words} ▲`.padStart(column + 1);
  return indent + colors.green(text);
}
