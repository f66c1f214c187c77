/** How long jobs waited. Figures of no job are NaN. */
export interface WaitFigures {
  readonly jobs: number;
  readonly meanWaitSeconds: number;
  /** (wait + run) / run, of runs of a second or more. */
  readonly meanSlowdown: number;
  /** With runs of ten seconds or more; at least 1. */
  readonly meanBoundedSlowdown: number;
  /** Weighted by the jobs' priorities as they started; eq. 4 of Tang et al. 2013. */
  readonly weightedWaitSeconds: number;
  /** Weighted by the priorities that the same jobs started with in the schedule to compare with. */
  readonly alikeWeightedWaitSeconds: number;
}

/** One job of a schedule. */
export interface Waited {
  readonly waitSeconds: number;
  readonly ranSeconds: number;
  readonly priority: number;
  /** Its priority in the schedule to compare with. */
  readonly priorityBefore: number;
}

/** Collects the waits of jobs, one by one. */
export class WaitTally {
  private readonly sums = {
    jobs: 0,
    wait: 0,
    slowdown: 0,
    bounded: 0,
    weight: 0,
    weighted: 0,
    weightBefore: 0,
    weightedBefore: 0,
  };

  add({ waitSeconds, ranSeconds, priority, priorityBefore }: Waited): void {
    const { sums } = this;
    sums.jobs++;
    sums.wait += waitSeconds;
    sums.slowdown += (waitSeconds + ranSeconds) / Math.max(1, ranSeconds);
    sums.bounded += Math.max(1, (waitSeconds + ranSeconds) / Math.max(10, ranSeconds));
    sums.weight += priority;
    sums.weighted += priority * waitSeconds;
    sums.weightBefore += priorityBefore;
    sums.weightedBefore += priorityBefore * waitSeconds;
  }

  figures(): WaitFigures {
    const { jobs, wait, slowdown, bounded, weight, weighted, weightBefore, weightedBefore } = this.sums;
    return {
      jobs,
      meanWaitSeconds: wait / jobs,
      meanSlowdown: slowdown / jobs,
      meanBoundedSlowdown: bounded / jobs,
      weightedWaitSeconds: weight > 0 ? weighted / weight : 0,
      alikeWeightedWaitSeconds: weightBefore > 0 ? weightedBefore / weightBefore : 0,
    };
  }
}
