import { DAY_SECONDS } from '../../domain/clock.ts';
import { valueAtProbability, type WaitForecast } from '../../domain/forecast.ts';
import type { JobRecord } from '../../domain/job.ts';

/** What a class of jobs is told by beside the job and its forecast. */
export interface ClassContext {
  /** Of the machine. */
  readonly processors: number;
  /** Submission of the first job of the log. */
  readonly historyFrom: number;
}

/**
 * The classes that a job belongs to, for example `size from 1/5`: of its share of the machine, its median forecast, the
 * age of the history, the walltime that it requests, its queue and the hour of its submission (of the log's own clock).
 * Nothing of its fate is in them, so that in each the levels of a right forecast come true.
 */
export function calibrationClassesOf(
  job: JobRecord,
  forecast: Pick<WaitForecast, 'quantileSeconds'>,
  { processors, historyFrom }: ClassContext,
): string[] {
  const median = valueAtProbability(forecast.quantileSeconds, 0.5);
  const hour = Math.floor((job.submitAt % DAY_SECONDS) / 3600);
  return [
    `size ${classOf(job.processors / processors, SIZES)}`,
    `predicted ${classOf(median, PREDICTED)}`,
    `history ${classOf((job.submitAt - historyFrom) / DAY_SECONDS, HISTORY)}`,
    `requested ${job.requestedWalltimeSeconds === null ? 'none' : classOf(job.requestedWalltimeSeconds, REQUESTED)}`,
    `queue ${job.queue ?? 'none'}`,
    `hour ${classOf(hour, HOURS)}`,
  ];
}

type Ends = readonly (readonly [below: number, name: string])[];

function classOf(value: number, ends: Ends): string {
  const [, name = ''] = ends.find(([below]) => value < below) ?? ends.at(-1) ?? [];
  return name;
}

const BEYOND = Number.POSITIVE_INFINITY;
const SIZES: Ends = [
  [1 / 100, 'below 1/100'],
  [1 / 20, 'below 1/20'],
  [1 / 10, 'below 1/10'],
  [1 / 5, 'below 1/5'],
  [BEYOND, 'from 1/5'],
];
const PREDICTED: Ends = [
  [60, 'below 1 min'],
  [600, 'below 10 min'],
  [3600, 'below 1 h'],
  [21_600, 'below 6 h'],
  [BEYOND, 'from 6 h'],
];
const HISTORY: Ends = [
  [35, 'below 35 days'],
  [90, 'below 90 days'],
  [180, 'below 180 days'],
  [365, 'below 365 days'],
  [BEYOND, 'from 365 days'],
];
const REQUESTED: Ends = [
  [3600, 'below 1 h'],
  [21_600, 'below 6 h'],
  [86_400, 'below 24 h'],
  [BEYOND, 'from 24 h'],
];
const HOURS: Ends = [
  [6, '0 to 5'],
  [12, '6 to 11'],
  [18, '12 to 17'],
  [BEYOND, '18 to 23'],
];
