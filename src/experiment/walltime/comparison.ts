import type { PartInput } from '../experiment.ts';
import { machineOf } from '../simulate.ts';
import { adjustedSchedule, type Mode, TRUE_RUNTIMES } from './adjusted-schedule.ts';
import { AlongLog } from './along-log.ts';
import { type Months, monthsOf } from './months.ts';
import {
  FCFS_PRIORITY,
  figuresOf,
  type PriorityOf,
  prioritiesOf,
  type ScheduleFigures,
  WFP_PRIORITY,
} from './schedule-figures.ts';

/** The two queues of the paper, both with EASY backfilling. */
export const QUEUES = ['wfp', 'fcfs'] as const;
export type QueueName = (typeof QUEUES)[number];

/** Schedules of a log with one adjustment, one a shake, each beside the unadjusted one of its shake. */
export interface Comparison {
  /** The adjustment's name; `requested` for none. */
  readonly name: string;
  readonly schedules: readonly ScheduleFigures[];
  readonly unadjusted: readonly ScheduleFigures[];
  readonly months: Months;
}

/** Schedules a log unadjusted, with each adjustment, and with the true runtimes. */
export function compared(queue: QueueName, mode: Mode, input: PartInput): Comparison[] {
  const { workload, seed, parameters, onProgress } = input;
  const months = monthsOf(workload, Number(parameters.scoredShare));
  const processors = machineOf(workload, Number(parameters.processors) || undefined);
  const adjustments = [null, ...String(parameters.adjustments).split(','), TRUE_RUNTIMES];
  const shakes = Number(parameters.shakes);
  const settings = String(parameters.settings);
  const told = { processors, policy: queue === 'wfp' ? 'wfp' : 'easy', settings, mode, seed } as const;
  const priorityOf: PriorityOf = queue === 'wfp' ? WFP_PRIORITY : FCFS_PRIORITY;
  const alongLog = parameters.past === 'log' ? new AlongLog(workload, settings) : null;
  const logged = (adjustment: string | null) =>
    adjustment === null || adjustment === TRUE_RUNTIMES ? null : alongLog?.of(adjustment);
  const figures = adjustments.map((): ScheduleFigures[] => []);
  for (let shake = 0; shake < shakes; shake++) {
    let before: ReadonlyMap<number, number> | null = null;
    for (const [index, adjustment] of adjustments.entries()) {
      const done = workload.length * (shake * adjustments.length + index);
      const progress = (jobs: number) => onProgress(Math.floor((done + jobs) / (shakes * adjustments.length)));
      const known = { alongLog: logged(adjustment) ?? null };
      const schedule = adjustedSchedule(workload, { ...told, ...known, adjustment, shake, onProgress: progress });
      before ??= prioritiesOf(schedule, priorityOf);
      figures[index]?.push(figuresOf(schedule, months, priorityOf, before));
    }
  }
  return adjustments.map((name, index) => {
    return { name: name ?? 'requested', schedules: figures[index] ?? [], unadjusted: figures[0] ?? [], months };
  });
}
