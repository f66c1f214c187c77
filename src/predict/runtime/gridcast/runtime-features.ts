import type { EpochSeconds } from '../../../domain/clock.ts';
import type { JobRequest } from '../../../domain/job.ts';
import { calendarFeatures } from '../../online/calendar-features.ts';
import { type Features, FeatureValues, NamedFeatures } from '../../online/features.ts';
import { GROUPS, type Group, RunMemory, scaleSeconds } from './run-memory.ts';
import { RunTrail } from './run-trail.ts';
import { type LastJob, UserTrail } from './user-trail.ts';

/**
 * All that is known of a job's runtime at its submission, as numbers; not-a-number stands for unknown. Trees only
 * compare values with each other, so times are logarithms of seconds where means are taken of them.
 */
export function runtimeFeatures(job: JobRequest, at: EpochSeconds, memory: RunMemory): Float32Array {
  const features = new FeatureValues();
  addFeatures(features, job, at, memory);
  return features.values();
}

/** Their names, in the same order. */
export function runtimeFeatureNames(): string[] {
  const features = new NamedFeatures();
  addFeatures(features, { user: null, queue: null, processors: 1, requestedWalltimeSeconds: 1 }, 0, new RunMemory());
  return features.list.map(([name]) => name);
}

function addFeatures(features: Features, job: JobRequest, at: EpochSeconds, memory: RunMemory): void {
  const walltimeSeconds = job.requestedWalltimeSeconds ?? Number.NaN;
  const { timeOfDaySeconds, dayOfWeek } = calendarFeatures(at);
  features.add(job.processors, 'processors');
  features.add(walltimeSeconds, 'walltimeSeconds');
  features.add(job.processors * walltimeSeconds, 'work');
  features.add((memory.trailOf('queue', job) ?? UNHEARD_OF).meanShare, 'queueMeanShare');
  features.add(timeOfDaySeconds, 'timeOfDaySeconds');
  features.add(dayOfWeek, 'dayOfWeek');
  addUser(features, job, at, memory.userOf(job) ?? UNKNOWN_USER);
  for (const group of GROUPS) addTrail(features, group, memory.trailOf(group, job) ?? UNHEARD_OF, at);
}

function addTrail(features: Features, group: Group, trail: RunTrail, at: EpochSeconds): void {
  features.add(trail.ended, 'Ended', group);
  features.add(trail.meanLogSeconds, 'MeanLogSeconds', group);
  features.add(trail.meanShare, 'MeanShare', group);
  features.add(trail.quickShare, 'QuickShare', group);
  if (OF_USERS.includes(group)) addLast(features, group, trail, at);
  if (CLOSELY.includes(group)) addPresent(features, group, trail, at);
}

function addLast(features: Features, group: Group, trail: RunTrail, at: EpochSeconds): void {
  features.add(trail.runSeconds(1), 'LastSeconds', group);
  features.add(trail.lastShare(), 'LastShare', group);
  features.add(at - trail.lastEndAt, 'EndedAgo', group);
}

function addPresent(features: Features, group: Group, trail: RunTrail, at: EpochSeconds): void {
  const recent = trail.recent();
  features.add(trail.runSeconds(2), 'SecondLastSeconds', group);
  features.add(trail.runSeconds(3), 'ThirdLastSeconds', group);
  features.add(recent?.medianSeconds ?? Number.NaN, 'MedianSeconds', group);
  features.add(recent?.leastSeconds ?? Number.NaN, 'LeastSeconds', group);
  features.add(recent?.mostSeconds ?? Number.NaN, 'MostSeconds', group);
  features.add(recent?.deviationOfLogs ?? Number.NaN, 'DeviationOfLogs', group);
  features.add(recent?.leastShare ?? Number.NaN, 'LeastShare', group);
  features.add(recent?.mostShare ?? Number.NaN, 'MostShare', group);
  features.add(recent?.wholeShare ?? Number.NaN, 'WholeShare', group);
  features.add(trail.quickInARow, 'QuickInARow', group);
  features.add(trail.running, 'Running', group);
  features.add(trail.waiting, 'Waiting', group);
  features.add(trail.longestElapsedSeconds(at), 'LongestElapsed', group);
  features.add(trail.meanElapsedSeconds(at), 'MeanElapsed', group);
  features.add(at - trail.lastSubmitAt, 'SubmittedAgo', group);
  features.add(trail.submissions, 'Submissions', group);
}

function addUser(features: Features, job: JobRequest, at: EpochSeconds, user: UserTrail): void {
  const near = user.nearTo(job);
  addLastJob(features, job, at, user.lastJob);
  features.add(user.shareOfWalltime(job), 'shareOfWalltime');
  features.add(near?.meanLogSeconds ?? Number.NaN, 'nearMeanLogSeconds');
  features.add(near?.meanShare ?? Number.NaN, 'nearMeanShare');
  features.add(near?.medianShare ?? Number.NaN, 'nearMedianShare');
  features.add(near?.distance ?? Number.NaN, 'nearDistance');
}

function addLastJob(features: Features, job: JobRequest, at: EpochSeconds, last: UserTrail['lastJob']): void {
  const seconds = last ? secondsOf(last.fate, at) : Number.NaN;
  const scale = last ? scaleSeconds(last.request) : Number.NaN;
  features.add(last ? likeness(job, last.request) : Number.NaN, 'lastJobIsLike');
  features.add(last ? LAST_JOB_STATES.indexOf(last.fate.state) : Number.NaN, 'lastJobState');
  features.add(seconds, 'lastJobSeconds');
  features.add(seconds / scale, 'lastJobShare');
  features.add((job.requestedWalltimeSeconds ?? Number.NaN) / scale, 'walltimeOfLast');
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

const OF_USERS: readonly Group[] = ['twins', 'userWalltime', 'userSize', 'user'];
const CLOSELY: readonly Group[] = ['twins', 'user'];
const LAST_JOB_STATES: readonly LastJob['state'][] = ['waits', 'runs', 'ended'];
const UNHEARD_OF = new RunTrail();
const UNKNOWN_USER = new UserTrail();
