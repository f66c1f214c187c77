import type { ExperimentRow, Figure, PartInput } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import type { Mode } from './adjusted-schedule.ts';
import { type Comparison, compared, type QueueName } from './comparison.ts';
import { estimateMetrics } from './estimate-metrics.ts';
import type { ScheduleFigures } from './schedule-figures.ts';
import type { WaitFigures } from './wait-tally.ts';

/** What schedules are compared by, with the metric that says it in percent of the unadjusted, and its plot's title. */
const COMPARED = [
  ['waitChangePercent', 'meanWaitSeconds', 'mean wait'],
  ['slowdownChangePercent', 'meanSlowdown', 'mean slowdown'],
  ['weightedWaitChangePercent', 'weightedWaitSeconds', 'priority-weighted wait'],
  ['alikeWeightedWaitChangePercent', 'alikeWeightedWaitSeconds', 'wait weighted by the unadjusted priorities'],
] as const satisfies readonly (readonly [string, keyof WaitFigures, string])[];

/** The metrics of the rows, apart from those of the estimates. */
export const SCHEDULE_METRICS = [
  ...COMPARED.flatMap(([change, figure]) => [figure, change]),
  'meanBoundedSlowdown',
  'worstMonthPercent',
  'waitChangeSpreadPercent',
];

/** Figures 13 to 17 of Tang et al.: a log under one queue and mode, unadjusted and with each adjustment. */
export function schedulePart(queue: QueueName, mode: Mode, input: PartInput): ExperimentRow[] {
  const comparisons = compared(queue, mode, input);
  for (const [, figure, title] of COMPARED) {
    const name = `${title} under ${queue}, ${mode}`;
    input.onFigure?.(byMonth(name, 'percent of the unadjusted', comparisons, (one) => monthShares(one, figure)));
  }
  const accuracies = ({ schedules }: Comparison) =>
    (schedules[0] as ScheduleFigures).months.map(({ accuracyMean }) => accuracyMean);
  input.onFigure?.(byMonth(`accuracy under ${queue}, ${mode}`, 'mean accuracy', comparisons, accuracies));
  return comparisons.map((one) => ({ name: `${queue}/${mode}/${one.name}`, ...metricsOf(one) }));
}

function metricsOf(comparison: Comparison): Record<string, number> {
  const { schedules, unadjusted, months } = comparison;
  const compare = COMPARED.flatMap(([change, figure]) => {
    const after = meanOf(schedules, ({ scored }) => scored[figure]);
    const before = meanOf(unadjusted, ({ scored }) => scored[figure]);
    return [
      [figure, rounded(after, 2)],
      [change, rounded(100 * (after / before - 1), 1)],
    ];
  });
  const worst = Math.max(...monthShares(comparison, 'meanWaitSeconds').slice(months.firstScored));
  const { jobs, ...estimates } = (schedules[0] as ScheduleFigures).scored;
  return {
    jobs,
    ...Object.fromEntries(compare),
    meanBoundedSlowdown: rounded(
      meanOf(schedules, ({ scored }) => scored.meanBoundedSlowdown),
      2,
    ) as number,
    worstMonthPercent: rounded(worst - 100, 1) as number,
    ...(schedules.length > 1 && { waitChangeSpreadPercent: spreadPercent(comparison) }),
    ...estimateMetrics({ jobs, ...estimates }),
  };
}

/** A figure of each month in percent of the unadjusted. */
function monthShares({ schedules, unadjusted, months }: Comparison, figure: keyof WaitFigures): number[] {
  return Array.from({ length: months.count }, (_, month) => {
    const of = (one: ScheduleFigures) => one.months[month]?.[figure] ?? Number.NaN;
    return (100 * meanOf(schedules, of)) / meanOf(unadjusted, of);
  });
}

/** Standard deviation, over the shakes, of the change of the mean wait. */
function spreadPercent({ schedules, unadjusted }: Comparison): number {
  const changes = schedules.map(
    ({ scored }, shake) =>
      100 * (scored.meanWaitSeconds / (unadjusted[shake] as ScheduleFigures).scored.meanWaitSeconds),
  );
  const mean = meanOf(changes, (change) => change);
  return rounded(Math.sqrt(meanOf(changes, (change) => (change - mean) ** 2)), 1) as number;
}

function meanOf<One>(all: readonly One[], of: (one: One) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0) / all.length;
}

function byMonth(
  title: string,
  y: string,
  comparisons: readonly Comparison[],
  valuesOf: (one: Comparison) => readonly number[],
): Figure {
  const series = comparisons.map((one) => {
    const points = valuesOf(one).flatMap((value, month) =>
      Number.isFinite(value) ? [[month + 1, value] as const] : [],
    );
    return { name: one.name, points };
  });
  return { title, x: 'month of the log', y, series };
}
