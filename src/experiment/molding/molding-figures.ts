import type { ExperimentRow, Figure } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import type { MoldedSchedule } from './molded-schedule.ts';

/** Which jobs of a log are scored, by their numbers: from the first, up to and without the last. */
export interface ScoredJobs {
  readonly from: number;
  readonly to: number;
}

/** One job of a schedule beside what it was in the log's own. */
interface ScoredJob {
  readonly number: number;
  readonly responseSeconds: number;
  readonly waitSeconds: number;
  readonly runSeconds: number;
  readonly processors: number;
}

/** Classes of jobs by the processor-hours that they take at their own size. */
const CLASSES = [
  { name: 'Under1', below: 1 },
  { name: '1To10', below: 10 },
  { name: '10To100', below: 100 },
  { name: 'Over100', below: Number.POSITIVE_INFINITY },
] as const;

/**
 * A schedule beside that of the same jobs at their own sizes. Responses are from submission to end. Utilization is of
 * the time between the first and the last scored submission, whoever ran then.
 * @param molded numbers of the jobs that may be given another size
 */
export function moldingRow(
  name: string,
  schedule: MoldedSchedule,
  baseline: MoldedSchedule,
  scored: ScoredJobs,
  molded: ReadonlySet<number>,
): ExperimentRow {
  const [jobs, own] = [scoredOf(schedule, scored), scoredOf(baseline, scored)];
  const isMolded = ({ number }: ScoredJob) => molded.has(number);
  const changed = [...jobs.values()].filter(({ number, processors }) => own.get(number)?.processors !== processors);
  return {
    name,
    jobs: jobs.size,
    meanResponseSeconds: Math.round(meanOf([...jobs.values()], 'responseSeconds')),
    reductionPercent: reduction([...jobs.values()], [...own.values()]),
    meanWaitSeconds: Math.round(meanOf([...jobs.values()], 'waitSeconds')),
    meanRunSeconds: Math.round(meanOf([...jobs.values()], 'runSeconds')),
    utilization: rounded(utilizationOf(schedule, scored, baseline), 3) as number,
    workPercent: rounded((100 * workOf(jobs)) / workOf(own), 1) as number,
    moldedJobs: molded.size,
    resizedPercent: rounded((100 * changed.length) / Math.max(1, molded.size), 1) as number,
    ...(molded.size > 0 && {
      moldedReductionPercent: reduction([...jobs.values()].filter(isMolded), [...own.values()].filter(isMolded)),
    }),
    ...byClass(jobs, own),
  };
}

/** Processors in use, on average, by the day: what the paper calls the load over time. */
export function loadFigure(name: string, schedule: MoldedSchedule, scored: ScoredJobs): Figure {
  const { fromAt, toAt } = spanOf(schedule, scored);
  const days = Math.max(1, Math.min(LOAD_DAYS, Math.ceil((toAt - fromAt) / DAY)));
  const points = Array.from({ length: days * PER_DAY }, (_, i) => {
    const at = fromAt + (i * DAY) / PER_DAY;
    return [rounded(i / PER_DAY, 3) as number, busyShare(schedule, at, at + DAY / PER_DAY)] as const;
  });
  const y = 'share of processors in use';
  return { title: 'Load over time', x: 'days since the first scored submission', y, series: [{ name, points }] };
}

function byClass(jobs: ReadonlyMap<number, ScoredJob>, own: ReadonlyMap<number, ScoredJob>): Record<string, number> {
  let above = 0;
  const entries = CLASSES.flatMap(({ name, below }) => {
    const [from, to] = [above, below];
    above = below;
    const members = [...own.values()].filter(({ processors, runSeconds }) => {
      const processorHours = (processors * runSeconds) / 3600;
      return processorHours >= from && processorHours < to;
    });
    if (members.length === 0) return [];
    const now = members.flatMap(({ number }) => jobs.get(number) ?? []);
    return [
      [`response${name}`, Math.round(meanOf(now, 'responseSeconds'))],
      [`reduction${name}`, reduction(now, members)],
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** The tables of the experiment. */
export const MOLDING_TABLES = [
  {
    title: 'Table VIII, all times in seconds',
    metrics: [
      'jobs',
      'meanWaitSeconds',
      'meanRunSeconds',
      'meanResponseSeconds',
      'reductionPercent',
      'utilization',
      'workPercent',
      'moldedJobs',
      'resizedPercent',
      'moldedReductionPercent',
    ],
  },
  {
    title: 'response by processor-hours at their own size',
    metrics: CLASSES.flatMap(({ name }) => [`response${name}`, `reduction${name}`]),
  },
];

function scoredOf({ cluster, numbers }: MoldedSchedule, { from, to }: ScoredJobs): Map<number, ScoredJob> {
  const { submitAt, startAt, endAt, processors } = cluster.table.columns;
  const jobs = new Map<number, ScoredJob>();
  for (const [row, number] of numbers.entries()) {
    if (number < from || number >= to) continue;
    const [submitted, started, ended] = [submitAt[row], startAt[row], endAt[row]] as [number, number, number];
    jobs.set(number, {
      number,
      responseSeconds: ended - submitted,
      waitSeconds: started - submitted,
      runSeconds: ended - started,
      processors: processors[row] as number,
    });
  }
  return jobs;
}

function spanOf({ cluster, numbers }: MoldedSchedule, { from, to }: ScoredJobs) {
  const { submitAt } = cluster.table.columns;
  let [fromAt, toAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [row, number] of numbers.entries()) {
    if (number < from || number >= to) continue;
    fromAt = Math.min(fromAt, submitAt[row] as number);
    toAt = Math.max(toAt, submitAt[row] as number);
  }
  return { fromAt, toAt };
}

function utilizationOf(schedule: MoldedSchedule, scored: ScoredJobs, baseline: MoldedSchedule): number {
  const { fromAt, toAt } = spanOf(baseline, scored);
  return busyShare(schedule, fromAt, toAt);
}

/** Share of a machine's processor-seconds in which jobs ran. */
function busyShare({ cluster }: MoldedSchedule, fromAt: number, toAt: number): number {
  const { startAt, endAt, processors } = cluster.table.columns;
  let busy = 0;
  for (let row = 0; row < cluster.table.length; row++) {
    const seconds = Math.min(endAt[row] as number, toAt) - Math.max(startAt[row] as number, fromAt);
    if (seconds > 0) busy += seconds * (processors[row] as number);
  }
  return busy / (cluster.processors * (toAt - fromAt));
}

function workOf(jobs: ReadonlyMap<number, ScoredJob>): number {
  return [...jobs.values()].reduce((sum, { processors, runSeconds }) => sum + processors * runSeconds, 0);
}

function meanOf(jobs: readonly ScoredJob[], of: 'responseSeconds' | 'waitSeconds' | 'runSeconds'): number {
  return jobs.reduce((sum, job) => sum + job[of], 0) / jobs.length;
}

function reduction(jobs: readonly ScoredJob[], own: readonly ScoredJob[]): number {
  return rounded(100 * (1 - meanOf(jobs, 'responseSeconds') / meanOf(own, 'responseSeconds')), 1) as number;
}

const DAY = 86_400;
/** So many points a day, and days that are plotted. */
const PER_DAY = 24;
const LOAD_DAYS = 4;
