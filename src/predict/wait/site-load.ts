import type { EpochSeconds } from '../../domain/clock.ts';
import { plannedWalltimeSeconds } from '../../domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../domain/snapshot.ts';

/**
 * Processors that are left over from a moment on when every running and waiting job uses its whole walltime and nobody
 * is delayed by a later job: a step function, the last step lasts for ever.
 */
export interface SiteLoad {
  readonly observedAt: EpochSeconds;
  /** Moments of the steps, rising; the first is `observedAt`. */
  readonly stepAt: Float64Array;
  /** Processors that are free from each step on. */
  readonly freeProcessors: Float64Array;
}

/**
 * Plans the site's present queue forward as conservative backfilling does: each waiting job in turn is put into the
 * earliest gap that holds it (Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 3). O(w (w + r)) for w waiting and
 * r running jobs; beyond 300 waiting jobs the rest is left out.
 * @param totalSeconds from its start to its end, of every job; the requested walltime, or a day, unless told
 */
export function planLoad(snapshot: Snapshot, totalSeconds: TotalSeconds = plannedWalltimeSeconds): SiteLoad {
  return planLoads(snapshot, totalSeconds).queue;
}

/** The same, and what is left over by the running jobs alone. */
export function planLoads(
  snapshot: Snapshot,
  totalSeconds: TotalSeconds,
): { readonly machine: SiteLoad; readonly queue: SiteLoad } {
  const { observedAt } = snapshot;
  const steps = runningSteps(snapshot, totalSeconds);
  const machine = loadOf(observedAt, steps);
  for (const job of snapshot.waiting.slice(0, MOST_PLANNED_JOBS)) {
    const seconds = totalSeconds(job);
    const index = earliestGap(steps.at, steps.free, job.processors, seconds);
    if (index >= 0) occupy(steps, index, job.processors, seconds);
  }
  return { machine, queue: snapshot.waiting.length === 0 ? machine : loadOf(observedAt, steps) };
}

/** Both columns lie in one buffer: more than a thousand loads are kept, and a buffer takes as much as ten steps. */
function loadOf(observedAt: EpochSeconds, { at, free }: Steps): SiteLoad {
  const columns = new Float64Array(at.length + free.length);
  columns.set(at);
  columns.set(free, at.length);
  return { observedAt, stepAt: columns.subarray(0, at.length), freeProcessors: columns.subarray(at.length) };
}

/** The load with processors taken from one moment to another; those that are not free are owed. */
export function occupied(load: SiteLoad, processors: number, fromAt: EpochSeconds, endAt: EpochSeconds): SiteLoad {
  const steps: Steps = { at: [...load.stepAt], free: [...load.freeProcessors] };
  const from = stepFrom(steps, Math.max(fromAt, load.observedAt));
  occupy(steps, from, processors, endAt - (steps.at[from] as number));
  return loadOf(load.observedAt, steps);
}

/** How many seconds after `observedAt` a job would start by the plan; `Infinity` when it never fits. */
export function plannedWaitSeconds(load: SiteLoad, processors: number, walltimeSeconds: number): number {
  return gapFor(load, processors, walltimeSeconds, load.observedAt).startAt - load.observedAt;
}

/**
 * Class of the load for a job that would be submitted at a moment of the plan. When it would start at once, by what
 * share of the machine would be left over meanwhile: at least 60 % (0), 30 %, 10 %, or less. Else by how long it would
 * wait: up to half an hour (4), two, six and eighteen hours, or longer.
 */
export function loadClassFor(
  load: SiteLoad,
  processors: number,
  walltimeSeconds: number,
  submitAt: EpochSeconds,
): number {
  const { startAt, leastFree } = gapFor(load, processors, walltimeSeconds, submitAt);
  const wait = startAt - Math.max(submitAt, load.observedAt);
  if (wait > 0) return SPARE_CLASS_COUNT + WAIT_ENDS_SECONDS.filter((end) => wait > end).length;
  const machine = Math.max(1, load.freeProcessors.at(-1) ?? 1);
  return SPARE_SHARES.filter((share) => (leastFree - processors) / machine < share).length;
}

/** How long a job is taken to run; only one that runs already has a `startAt`. */
export type TotalSeconds = (job: WaitingJob | RunningJob) => number;

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

/**
 * When a job that comes at `fromAt` could start, infinite when it never fits, and the least that is free while it runs.
 */
export function gapFor(
  { stepAt, freeProcessors }: SiteLoad,
  processors: number,
  walltimeSeconds: number,
  fromAt: EpochSeconds,
): { readonly startAt: EpochSeconds; readonly leastFree: number } {
  let startAt = Number.POSITIVE_INFINITY;
  let leastFree = Number.POSITIVE_INFINITY;
  for (let i = 0; i < stepAt.length; i++) {
    const endsAt = stepAt[i + 1] ?? Number.POSITIVE_INFINITY;
    if (endsAt <= fromAt) continue;
    const free = freeProcessors[i] as number;
    if (free < processors) startAt = leastFree = Number.POSITIVE_INFINITY;
    else {
      startAt = Math.min(startAt, Math.max(fromAt, stepAt[i] as number));
      leastFree = Math.min(leastFree, free);
      if (endsAt >= startAt + walltimeSeconds) return { startAt, leastFree };
    }
  }
  return { startAt: Number.POSITIVE_INFINITY, leastFree: 0 };
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
  const end = stepFrom(steps, (steps.at[index] as number) + seconds, index);
  for (let i = index; i < end; i++) steps.free[i] = (steps.free[i] as number) - processors;
}

/** Index of the step that begins at a moment, a new one where none does. @param after an earlier step */
function stepFrom(steps: Steps, at: EpochSeconds, after = 0): number {
  let index = after;
  while (index < steps.at.length && (steps.at[index] as number) < at) index++;
  if (steps.at[index] !== at) {
    steps.at.splice(index, 0, at);
    steps.free.splice(index, 0, steps.free[index - 1] as number);
  }
  return index;
}

const MOST_PLANNED_JOBS = 300;
const SPARE_SHARES = [0.6, 0.3, 0.1] as const;
const WAIT_ENDS_SECONDS = [1800, 7200, 21_600, 64_800] as const;
const SPARE_CLASS_COUNT = SPARE_SHARES.length + 1;
export const LOAD_CLASS_COUNT = SPARE_CLASS_COUNT + WAIT_ENDS_SECONDS.length + 1;
