import type { Workload } from '../../sim/workload.ts';
import type { DelaySchedule } from './delay-schedule.ts';

/** What a schedule came to for some of its jobs. Responses are from when a job was wanted; means of no job are NaN. */
export interface DelayFigures {
  readonly jobs: number;
  /** Held back and queued together. */
  readonly meanWaitSeconds: number;
  readonly meanRunSeconds: number;
  readonly meanResponseSeconds: number;
  /** Share of the machine in use from when the first of the jobs was wanted to when the last of them ended. */
  readonly utilization: number;
}

/** From the first, up to and without the last. */
export interface JobRange {
  readonly from: number;
  readonly to: number;
}

/** @param processors of the machine */
export function delayFigures(
  schedule: DelaySchedule,
  { columns }: Workload,
  { from, to }: JobRange,
  processors: number,
): DelayFigures {
  const sums = { jobs: 0, wait: 0, run: 0 };
  const span = { fromAt: Number.POSITIVE_INFINITY, untilAt: Number.NEGATIVE_INFINITY };
  for (let number = from; number < to; number++) {
    const [wantedAt, startAt, endAt] = [columns.submitAt[number], schedule.startAt[number], schedule.endAt[number]];
    if (wantedAt === undefined || startAt === undefined || endAt === undefined || Number.isNaN(startAt)) continue;
    sums.jobs++;
    sums.wait += startAt - wantedAt;
    sums.run += endAt - startAt;
    span.fromAt = Math.min(span.fromAt, wantedAt);
    span.untilAt = Math.max(span.untilAt, endAt);
  }
  return {
    jobs: sums.jobs,
    meanWaitSeconds: sums.wait / sums.jobs,
    meanRunSeconds: sums.run / sums.jobs,
    meanResponseSeconds: (sums.wait + sums.run) / sums.jobs,
    utilization: workBetween(schedule, span.fromAt, span.untilAt) / ((span.untilAt - span.fromAt) * processors),
  };
}

/** Seconds from when a job was wanted to its end; not-a-number for one that was left out. */
export function responseSeconds({ endAt }: DelaySchedule, { columns }: Workload, number: number): number {
  return (endAt[number] as number) - (columns.submitAt[number] as number);
}

function workBetween({ startAt, endAt, processors }: DelaySchedule, fromAt: number, untilAt: number): number {
  let work = 0;
  for (let number = 0; number < startAt.length; number++) {
    const seconds = Math.min(endAt[number] as number, untilAt) - Math.max(startAt[number] as number, fromAt);
    if (seconds > 0) work += seconds * (processors[number] as number);
  }
  return work;
}
