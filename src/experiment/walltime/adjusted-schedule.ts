import type { WaitingJob } from '../../domain/snapshot.ts';
import { nativeIdOf } from '../../sim/cluster-snapshot.ts';
import type { RuntimeEstimates } from '../../sim/estimates.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import { POLICIES, type PolicyName } from '../../sim/policy.ts';
import { RandomStream } from '../../sim/random.ts';
import { type Simulation, simulate } from '../../sim/simulate.ts';
import type { SubmissionHook } from '../../sim/submission-hook.ts';
import type { Workload } from '../../sim/workload.ts';
import { createAdjuster, estimatesOf } from './adjustments.ts';
import type { EstimatesAlongLog } from './along-log.ts';

/** `regular`: adjusted for waiting and running jobs; `selective`: for waiting jobs alone. Tang et al., section 5. */
export const MODES = ['selective', 'regular'] as const;
export type Mode = (typeof MODES)[number];

/** Stands for an adjuster. */
export const TRUE_RUNTIMES = 'true-runtimes';

/** One schedule of a log. */
export interface ScheduleOptions {
  readonly processors: number;
  readonly policy: PolicyName;
  /** Null for none: everybody counts as requested. `true-runtimes` for what no table can know. */
  readonly adjustment: string | null;
  /** Of predictors, as experiments are told them. */
  readonly settings: string;
  readonly mode: Mode;
  /** Which of the schedules that ought to be alike; see `shaken`. */
  readonly shake: number;
  readonly seed: number;
  /** What the adjustment says of each job; it is asked along the schedule itself where nothing is given. */
  readonly alongLog?: EstimatesAlongLog | null;
  onProgress(doneJobs: number): void;
}

/** Schedules a log; jobs are killed at what they request whatever is believed. */
export function adjustedSchedule(workload: Workload, options: ScheduleOptions): Simulation {
  const { processors, policy, adjustment, settings, mode, shake, seed, alongLog, onProgress } = options;
  const scope = mode === 'selective' ? 'waiting' : 'all';
  const submit = shake === 0 ? asItIs : shaken(seed + shake);
  const told = { processors, policy: POLICIES[policy], onProgress };
  if (adjustment === TRUE_RUNTIMES) {
    return simulate(workload, { ...told, ...knownEstimates(({ runSeconds }) => runSeconds, scope, submit) });
  }
  if (alongLog) return simulate(workload, { ...told, ...knownEstimates(loggedSeconds(alongLog), scope, submit) });
  const estimates = adjustment === null ? {} : { estimates: estimatesOf(createAdjuster(adjustment, settings), scope) };
  return simulate(workload, { ...told, ...estimates, atSubmission: submit });
}

/** What is said of a job, by its number in the log; its request where nothing is. */
export function loggedSeconds(alongLog: EstimatesAlongLog): SecondsOf {
  return ({ walltimeSeconds }, number) => {
    const seconds = alongLog[number] as number;
    return Number.isNaN(seconds) ? walltimeSeconds : seconds;
  };
}

type SecondsOf = (job: SimulatedJob, number: number) => number;

export const asItIs: SubmissionHook = ({ job, at }) => ({ ...job, submitAt: at });

/**
 * Estimates that are known beforehand. Those of what each job will run show what better estimates could bring at most.
 */
export function knownEstimates(secondsOf: SecondsOf, scope: RuntimeEstimates['scope'], submit: SubmissionHook) {
  const known = new Map<string, number>();
  const atSubmission: SubmissionHook = (arrival, site) => {
    const job = submit(arrival, site);
    if (job && job.submitAt <= arrival.at) {
      known.set(nativeIdOf(site.cluster.table.length), secondsOf(job, arrival.number));
    }
    return job;
  };
  const seconds = ({ nativeId }: WaitingJob) => known.get(nativeId) ?? Number.POSITIVE_INFINITY;
  return { atSubmission, estimates: { scope, seconds } };
}

/**
 * Puts every job off by up to five minutes, at random. What a schedule comes to hangs on trifles; schedules that differ
 * in trifles alone say by how much. Source: Tsafrir and Feitelson 2006, IISWC, section 4 (shaking of the input).
 */
function shaken(seed: number): SubmissionHook {
  const random = new RandomStream(seed);
  const putOff = new Set<number>();
  return ({ number, job, at }) => {
    if (putOff.delete(number)) return { ...job, submitAt: at };
    putOff.add(number);
    return { ...job, submitAt: at + 1 + Math.floor(MOST_SHAKEN_SECONDS * random.uniform()) };
  };
}

const MOST_SHAKEN_SECONDS = 300;
