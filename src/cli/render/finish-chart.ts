import asciichart from 'asciichart';
import { formatSeconds } from '../../domain/duration.ts';
import type { FinishAtSizeAnswer, PlanAnswer } from '../client/plan-answers.ts';
import colors from './colors.ts';
import { renderTable } from './table.ts';
import { formatProcessorHours } from './time.ts';

const WIDTH = 60;
const HEIGHT = 10;

/**
 * Draws when a job would end against its size, at the site where it would end first: the middle of the forecast, and
 * between which times it lies in 90 % of all cases. Below it the same for every site. Empty where only one size was
 * considered.
 */
export function renderFinishBySize({ madeAt, finishBySize }: Pick<PlanAnswer, 'madeAt' | 'finishBySize'>): string {
  const finishes = finishBySize ?? [];
  const sizes = [...new Set(finishes.map(({ processors }) => processors))];
  if (sizes.length < 2) return '';
  const first = sizes.map((size) => earliest(finishes.filter(({ processors }) => processors === size)));
  const columns = Math.max(MOST_LABEL, Math.floor(WIDTH / sizes.length));
  const spread = (values: readonly number[]) => values.flatMap((value) => new Array<number>(columns).fill(value));
  const middle = first.map(({ finishAt }) => secondsAfter(madeAt, finishAt));
  const low = first.map(({ lowAt }, i) => (lowAt ? secondsAfter(madeAt, lowAt) : (middle[i] as number)));
  const high = first.map(({ highAt }, i) => (highAt ? secondsAfter(madeAt, highAt) : (middle[i] as number)));
  const chart = asciichart.plot([low, high, middle].map(spread), {
    height: HEIGHT,
    min: 0,
    format: (value: number) => formatSeconds(value).padStart(LABEL),
  });
  const axis = sizes.map((size) => String(size).padEnd(columns)).join('');
  return [
    colors.dim('ends after, by processors: the middle, and between the lines below and above it in 90 % of cases'),
    chart,
    colors.dim(`${' '.repeat(LABEL + 2)}${axis.trimEnd()}`),
    '',
    renderTable(
      ['  processors', 'site', 'walltime', 'ends after', '90 % between', 'charge'],
      finishes.map((finish) => row(finish, madeAt)),
    ),
  ].join('\n');
}

function earliest(finishes: readonly FinishAtSizeAnswer[]): FinishAtSizeAnswer {
  return finishes.reduce((best, one) => (Date.parse(one.finishAt) < Date.parse(best.finishAt) ? one : best));
}

function row(finish: FinishAtSizeAnswer, madeAt: string): (string | number)[] {
  const { processors, site, walltimeSeconds, finishAt, lowAt, highAt, isChosen } = finish;
  const size = `${isChosen ? '>' : ' '} ${processors}`;
  const after = (moment: string | null) => (moment ? formatSeconds(secondsAfter(madeAt, moment)) : 'unknown');
  return [
    isChosen ? colors.green(size) : size,
    site.name,
    formatSeconds(walltimeSeconds),
    after(finishAt),
    `${after(lowAt)} - ${after(highAt)}`,
    formatProcessorHours(finish.chargeProcessorSeconds),
  ];
}

function secondsAfter(madeAt: string, moment: string): number {
  return Math.max(0, (Date.parse(moment) - Date.parse(madeAt)) / 1000);
}

/** Columns of the longest size and its distance to the next. */
const MOST_LABEL = 6;
/** Columns of a label of the other axis. */
const LABEL = 10;
