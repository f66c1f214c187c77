import type { EpochSeconds } from '../../../domain/clock.ts';
import type { JobRequest } from '../../../domain/job.ts';
import { calendarFeatures } from '../../online/calendar-features.ts';
import { GROUPS, type Group, RunMemory, scaleSeconds } from './run-memory.ts';
import { RunTrail } from './run-trail.ts';
import { type LastJob, UserTrail } from './user-trail.ts';

/**
 * All that is known of a job's runtime at its submission, as numbers; not-a-number stands for unknown. Trees only
 * compare values with each other, so times are logarithms of seconds where means are taken of them.
 */
export function runtimeFeatures(job: JobRequest, at: EpochSeconds, memory: RunMemory): Float32Array {
  return Float32Array.from(Object.values(namedFeatures(job, at, memory)));
}

/** Their names, in the same order. */
export function runtimeFeatureNames(): string[] {
  const job = { user: null, queue: null, processors: 1, requestedWalltimeSeconds: 1 };
  return Object.keys(namedFeatures(job, 0, new RunMemory()));
}

function namedFeatures(job: JobRequest, at: EpochSeconds, memory: RunMemory): Record<string, number> {
  const walltimeSeconds = job.requestedWalltimeSeconds ?? Number.NaN;
  const values: Record<string, number> = {
    processors: job.processors,
    walltimeSeconds,
    work: job.processors * walltimeSeconds,
    queue: queueNumber(job.queue),
    ...calendarFeatures(at),
  };
  Object.assign(values, userFeatures(job, at, memory.userOf(job) ?? UNKNOWN_USER));
  for (const group of GROUPS) Object.assign(values, trailFeatures(group, memory.trailOf(group, job) ?? UNHEARD_OF, at));
  return values;
}

function trailFeatures(group: Group, trail: RunTrail, at: EpochSeconds): Record<string, number> {
  return {
    [`${group}Ended`]: trail.ended,
    [`${group}MeanLogSeconds`]: trail.meanLogSeconds,
    [`${group}MeanShare`]: trail.meanShare,
    [`${group}QuickShare`]: trail.quickShare,
    ...(OF_USERS.includes(group) ? lastFeatures(group, trail, at) : {}),
    ...(CLOSELY.includes(group) ? presentFeatures(group, trail, at) : {}),
  };
}

function lastFeatures(group: Group, trail: RunTrail, at: EpochSeconds): Record<string, number> {
  return {
    [`${group}LastSeconds`]: trail.runSeconds(1),
    [`${group}LastShare`]: trail.lastShare(),
    [`${group}EndedAgo`]: at - trail.lastEndAt,
  };
}

function presentFeatures(group: Group, trail: RunTrail, at: EpochSeconds): Record<string, number> {
  const recent = trail.recent();
  return {
    [`${group}SecondLastSeconds`]: trail.runSeconds(2),
    [`${group}ThirdLastSeconds`]: trail.runSeconds(3),
    [`${group}MedianSeconds`]: recent?.medianSeconds ?? Number.NaN,
    [`${group}LeastSeconds`]: recent?.leastSeconds ?? Number.NaN,
    [`${group}MostSeconds`]: recent?.mostSeconds ?? Number.NaN,
    [`${group}DeviationOfLogs`]: recent?.deviationOfLogs ?? Number.NaN,
    [`${group}LeastShare`]: recent?.leastShare ?? Number.NaN,
    [`${group}MostShare`]: recent?.mostShare ?? Number.NaN,
    [`${group}WholeShare`]: recent?.wholeShare ?? Number.NaN,
    [`${group}QuickInARow`]: trail.quickInARow,
    [`${group}Running`]: trail.running,
    [`${group}Waiting`]: trail.waiting,
    [`${group}LongestElapsed`]: trail.longestElapsedSeconds(at),
    [`${group}MeanElapsed`]: trail.meanElapsedSeconds(at),
    [`${group}SubmittedAgo`]: at - trail.lastSubmitAt,
    [`${group}Submissions`]: trail.submissions,
  };
}

function userFeatures(job: JobRequest, at: EpochSeconds, user: UserTrail): Record<string, number> {
  const near = user.nearTo(job);
  return {
    ...lastJobFeatures(job, at, user.lastJob),
    shareOfWalltime: user.shareOfWalltime(job),
    nearMeanLogSeconds: near?.meanLogSeconds ?? Number.NaN,
    nearMeanShare: near?.meanShare ?? Number.NaN,
    nearMedianShare: near?.medianShare ?? Number.NaN,
    nearDistance: near?.distance ?? Number.NaN,
  };
}

function lastJobFeatures(job: JobRequest, at: EpochSeconds, last: UserTrail['lastJob']): Record<string, number> {
  const seconds = last ? secondsOf(last.fate, at) : Number.NaN;
  return {
    lastJobIsLike: last ? likeness(job, last.request) : Number.NaN,
    lastJobState: last ? LAST_JOB_STATES.indexOf(last.fate.state) : Number.NaN,
    lastJobSeconds: seconds,
    lastJobShare: last ? seconds / scaleSeconds(last.request) : Number.NaN,
    walltimeOfLast: last ? (job.requestedWalltimeSeconds ?? Number.NaN) / scaleSeconds(last.request) : Number.NaN,
  };
}

/** How long the last job has run, or ran; not-a-number while it waits. */
function secondsOf(fate: LastJob, at: EpochSeconds): number {
  if (fate.state === 'waits') return Number.NaN;
  return fate.state === 'runs' ? at - fate.startAt : fate.runSeconds;
}

/** How many of size and walltime two jobs have in common. */
function likeness(a: JobRequest, b: JobRequest): number {
  const sameSize = a.processors === b.processors ? 1 : 0;
  return sameSize + (a.requestedWalltimeSeconds === b.requestedWalltimeSeconds ? 1 : 0);
}

/** A queue's name as a number that is its own nearly always; trees find out what it means. */
function queueNumber(queue: string | null): number {
  if (queue === null) return Number.NaN;
  let hash = 0;
  for (const character of queue) hash = (hash * 31 + (character.codePointAt(0) as number)) % 9973;
  return hash;
}

const OF_USERS: readonly Group[] = ['twins', 'userWalltime', 'userSize', 'user'];
const CLOSELY: readonly Group[] = ['twins', 'user'];
const LAST_JOB_STATES: readonly LastJob['state'][] = ['waits', 'runs', 'ended'];
const UNHEARD_OF = new RunTrail();
const UNKNOWN_USER = new UserTrail();
