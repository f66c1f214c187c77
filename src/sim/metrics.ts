import type { Simulation } from './simulate.ts';

/** The usual measures of a schedule. */
export interface ScheduleMetrics {
  readonly jobs: number;
  readonly meanWaitSeconds: number;
  /** Mean over jobs of max(1, (wait + run) / max(run, 10 s)). Feitelson et al. 1997, JSSPP. */
  readonly meanBoundedSlowdown: number;
  /** Processor-seconds used over those that the machine had from the first submission to the last end. */
  readonly utilization: number;
  readonly makespanSeconds: number;
}

const SLOWDOWN_BOUND_SECONDS = 10;

/** Measures of all jobs that started; NaN without any. */
export function measure({ cluster }: Simulation): ScheduleMetrics {
  const { submitAt, startAt, endAt, processors } = cluster.table.columns;
  let jobs = 0;
  let waited = 0;
  let slowdown = 0;
  let work = 0;
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (let job = 0; job < cluster.table.length; job++) {
    const wait = (startAt[job] as number) - (submitAt[job] as number);
    if (Number.isNaN(wait)) continue;
    const run = (endAt[job] as number) - (startAt[job] as number);
    jobs++;
    waited += wait;
    slowdown += Math.max(1, (wait + run) / Math.max(run, SLOWDOWN_BOUND_SECONDS));
    work += run * (processors[job] as number);
    firstAt = Math.min(firstAt, submitAt[job] as number);
    lastAt = Math.max(lastAt, endAt[job] as number);
  }
  const makespanSeconds = lastAt - firstAt;
  return {
    jobs,
    meanWaitSeconds: waited / jobs,
    meanBoundedSlowdown: slowdown / jobs,
    utilization: work / (makespanSeconds * cluster.processors),
    makespanSeconds,
  };
}
