import { POLICIES, type PolicyName } from '../../sim/policy.ts';
import { RandomStream } from '../../sim/random.ts';
import { type Simulation, simulate } from '../../sim/simulate.ts';
import type { SubmissionHook } from '../../sim/submission-hook.ts';
import type { Workload } from '../../sim/workload.ts';
import { createAdjuster, estimatesOf } from './adjustments.ts';

/** `regular`: adjusted for waiting and running jobs; `selective`: for waiting jobs alone. Tang et al., section 5. */
export const MODES = ['selective', 'regular'] as const;
export type Mode = (typeof MODES)[number];

/** One schedule of a log. */
export interface ScheduleOptions {
  readonly processors: number;
  readonly policy: PolicyName;
  /** Null for none: everybody counts as requested. */
  readonly adjustment: string | null;
  readonly mode: Mode;
  /** Which of the schedules that ought to be alike; see `shaken`. */
  readonly shake: number;
  readonly seed: number;
  onProgress(doneJobs: number): void;
}

/** Schedules a log; jobs are killed at what they request whatever is believed. */
export function adjustedSchedule(workload: Workload, options: ScheduleOptions): Simulation {
  const { processors, policy, adjustment, mode, shake, seed, onProgress } = options;
  const scope = mode === 'selective' ? 'waiting' : 'all';
  return simulate(workload, {
    processors,
    policy: POLICIES[policy],
    onProgress,
    ...(adjustment === null ? {} : { estimates: estimatesOf(createAdjuster(adjustment), scope) }),
    ...(shake === 0 ? {} : { atSubmission: shaken(seed + shake) }),
  });
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
