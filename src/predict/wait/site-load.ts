import type { EpochSeconds } from '../../domain/clock.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../domain/snapshot.ts';

/**
 * Processors that are left over from a moment on when every running and waiting job uses its whole walltime and nobody is
 * delayed by a later job: a step function, the last step lasts for ever.
 */
export interface SiteLoad {
  readonly observedAt: EpochSeconds;
  /** Moments of the steps, rising; the first is `observedAt`. */
  readonly stepAt: Float64Array;
  /** Processors that are free from each step on. */
  readonly freeProcessors: Float64Array;
}

/**
 * Plans the site's present queue forward as conservative backfilling does: each waiting job in turn is put into the earliest gap
 * that holds it (Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 3). O(w (w + r)) for w waiting and r running jobs; beyond
 * 300 waiting jobs the rest is left out.
 * @param totalSeconds from its start to its end, of every job; the requested walltime, or a day, unless told
 */
export function planLoad(snapshot: Snapshot, totalSeconds: TotalSeconds = requestedSeconds): SiteLoad {
  const steps = runningSteps(snapshot, totalSeconds);
  for (const job of snapshot.waiting.slice(0, MOST_PLANNED_JOBS)) {
    const seconds = totalSeconds(job);
    const index = earliestGap(steps.at, steps.free, job.processors, seconds);
    if (index >= 0) occupy(steps, index, job.processors, seconds);
  }
  return {
    observedAt: snapshot.observedAt,
    stepAt: Float64Array.from(steps.at),
    freeProcessors: Float64Array.from(steps.free),
  };
}

/** How many seconds after `observedAt` a job would start by the plan; `Infinity` when it never fits. */
export function plannedWaitSeconds(load: SiteLoad, processors: number, walltimeSeconds: number): number {
  const index = earliestGap(load.stepAt, load.freeProcessors, processors, walltimeSeconds);
  return index < 0 ? Number.POSITIVE_INFINITY : (load.stepAt[index] as number) - load.observedAt;
}

/** Class of a planned wait: 0 for at once, then up to half an hour, two, six and eighteen hours, and longer. */
export function loadClassFor(load: SiteLoad, processors: number, walltimeSeconds: number): number {
  const wait = plannedWaitSeconds(load, processors, walltimeSeconds);
  return CLASS_ENDS_SECONDS.filter((end) => wait > end).length;
}

/** How long a job is taken to run; only one that runs already has a `startAt`. */
export type TotalSeconds = (job: WaitingJob | RunningJob) => number;

function requestedSeconds(job: WaitingJob): number {
  return job.requestedWalltimeSeconds ?? DAY_SECONDS;
}

interface Steps {
  readonly at: number[];
  readonly free: number[];
}

function runningSteps(snapshot: Snapshot, totalSeconds: TotalSeconds): Steps {
  const ends = snapshot.running
    .map((job) => {
      const endAt = job.startAt + totalSeconds(job);
      return { at: Math.max(endAt, snapshot.observedAt + 1), processors: job.processors };
    })
    .sort((a, b) => a.at - b.at);
  const steps: Steps = { at: [snapshot.observedAt], free: [snapshot.freeProcessors] };
  for (const end of ends) {
    const free = (steps.free.at(-1) ?? 0) + end.processors;
    if (steps.at.at(-1) === end.at) steps.free[steps.free.length - 1] = free;
    else {
      steps.at.push(end.at);
      steps.free.push(free);
    }
  }
  return steps;
}

/** Index of the first step from which `processors` stay free for `seconds`; -1 when there is none. */
function earliestGap(at: ArrayLike<number>, free: ArrayLike<number>, processors: number, seconds: number): number {
  let start = -1;
  for (let i = 0; i < at.length; i++) {
    if ((free[i] as number) < processors) start = -1;
    else if (start < 0) start = i;
    if (start >= 0 && ((at[i + 1] ?? Number.POSITIVE_INFINITY) as number) >= (at[start] as number) + seconds)
      return start;
  }
  return -1;
}

/** Takes the processors from step `index` on for `seconds`, with a new step where they come free. */
function occupy(steps: Steps, index: number, processors: number, seconds: number): void {
  const endAt = (steps.at[index] as number) + seconds;
  let end = index;
  while (end < steps.at.length && (steps.at[end] as number) < endAt) end++;
  if (steps.at[end] !== endAt) {
    steps.at.splice(end, 0, endAt);
    steps.free.splice(end, 0, steps.free[end - 1] as number);
  }
  for (let i = index; i < end; i++) steps.free[i] = (steps.free[i] as number) - processors;
}

const DAY_SECONDS = 86_400;
const MOST_PLANNED_JOBS = 300;
const CLASS_ENDS_SECONDS = [0, 1800, 7200, 21_600, 64_800] as const;
export const LOAD_CLASS_COUNT = CLASS_ENDS_SECONDS.length + 1;
