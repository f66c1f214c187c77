import { laterSubmitAt } from '../../plan/job/delay.ts';
import type { SubmissionHook } from '../../sim/submission-hook.ts';
import type { Workload } from '../../sim/workload.ts';
import type { ExperimentRow } from '../experiment.ts';
import { rounded } from '../report/rounded.ts';
import { type JobRange, responseSeconds } from './delay-figures.ts';
import { type DelaySchedule, delaySchedule } from './delay-schedule.ts';
import { TRUE_RUNTIMES } from './job-runtimes.ts';
import { judgeByPlan } from './judges.ts';

/** Which jobs are tried. */
export interface SampleOptions extends JobRange {
  readonly processors: number;
  /** One in so many of those that did not start at once. */
  readonly every: number;
  onProgress(doneJobs: number): void;
}

/**
 * What delaying can bring a job at most: each of a sample is held back alone, until the true end that the rule would
 * wait for, with all that comes later known, and everybody else submitted as ever. Its response then is set against its
 * own at once.
 */
export function oneAtATime(workload: Workload, baseline: DelaySchedule, options: SampleOptions): ExperimentRow {
  const { from, to, processors, every, onProgress } = options;
  const laterAt = laterMoments(workload, options);
  const waited = Array.from(laterAt.keys()).filter((number) => {
    return (baseline.startAt[number] as number) > (workload.columns.submitAt[number] as number);
  });
  const tried = waited.filter((_, index) => index % every === 0);
  const sums = { atOnce: 0, delayed: 0, best: 0, lower: 0, muchLower: 0 };
  for (const [index, number] of tried.entries()) {
    if (index % 50 === 0) onProgress(Math.floor((workload.length * index) / tried.length));
    const atOnce = responseSeconds(baseline, workload, number);
    const atSubmission = holdingOne(number, laterAt.get(number) as number);
    const delayed = responseSeconds(delaySchedule(workload, { processors, atSubmission }), workload, number);
    sums.atOnce += atOnce;
    sums.delayed += delayed;
    sums.best += Math.min(atOnce, delayed);
    if (delayed < atOnce) sums.lower++;
    if (delayed <= 0.7 * atOnce) sums.muchLower++;
  }
  const change = (sum: number) => rounded(100 * (1 - sum / sums.atOnce), 2) as number;
  return {
    name: 'one-at-a-time',
    jobs: tried.length,
    waitedShare: rounded(waited.length / (to - from), 3) as number,
    reductionPercent: change(sums.delayed),
    bestReductionPercent: change(sums.best),
    lowerShare: rounded(sums.lower / tried.length, 4) as number,
    lowerByThresholdShare: rounded(sums.muchLower / tried.length, 4) as number,
  };
}

/** When each job of a range would be submitted if it was held back, by the true ends of those that run. */
function laterMoments(workload: Workload, { from, to, processors }: SampleOptions): Map<number, number> {
  const found = new Map<number, number>();
  const judge = judgeByPlan(TRUE_RUNTIMES);
  delaySchedule(workload, {
    processors,
    atSubmission({ number, job, at }, site) {
      const laterAt = number >= from && number < to ? laterSubmitAt(judge.endsAt(site), at) : null;
      if (laterAt !== null) found.set(number, laterAt);
      return { ...job, submitAt: at };
    },
  });
  return found;
}

function holdingOne(held: number, untilAt: number): SubmissionHook {
  return ({ number, job, at }) => ({ ...job, submitAt: number === held ? Math.max(at, untilAt) : at });
}
