import type { EpochSeconds } from '../../../domain/clock.ts';
import type { JobRequest } from '../../../domain/job.ts';
import type { WaitingJob } from '../../../domain/snapshot.ts';
import type { Features } from '../../online/features.ts';

/**
 * Who waits at a job's submission: all, those that ask for no more, those of its queue, of its user and of about its
 * shape, each with how many they are, their work, and how long they have waited so far, which is the freshest news of
 * how long one waits.
 */
export function addQueue(features: Features, job: JobRequest, at: EpochSeconds, waiting: readonly WaitingJob[]): void {
  const crowds = CROWDS.map(() => new Crowd(at));
  const [all, queue, user, smaller, shorter, easier, similar, twins] = crowds;
  let [arrivedLastHour, waitingProcessors] = [0, 0];
  for (const other of waiting) {
    waitingProcessors += other.processors;
    if (at - other.submitAt < HOUR_SECONDS) arrivedLastHour++;
    const isSmaller = other.processors <= job.processors;
    const isShorter = secondsOf(other) <= secondsOf(job);
    const isOfQueue = other.queue === job.queue;
    const isOfUser = other.user === job.user;
    all?.add(other);
    if (isSmaller) smaller?.add(other);
    if (isShorter) shorter?.add(other);
    if (isOfQueue) queue?.add(other);
    if (isOfUser) user?.add(other);
    if (isOfQueue && isSmaller && isShorter) easier?.add(other);
    if (isOfQueue && isSimilar(other, job)) similar?.add(other);
    if (isOfUser && other.processors === job.processors && secondsOf(other) === secondsOf(job)) twins?.add(other);
  }
  features.add(waitingProcessors, 'waitingProcessors');
  features.add(arrivedLastHour, 'waitingArrivedLastHour');
  crowds.forEach((crowd, i) => {
    addCrowd(features, CROWDS[i] as string, crowd);
  });
}

/** Whether sizes and walltimes are within a factor of two of each other. */
export function isSimilar(one: JobRequest, other: JobRequest): boolean {
  return isWithinTwo(one.processors, other.processors) && isWithinTwo(secondsOf(one), secondsOf(other));
}

function isWithinTwo(a: number, b: number): boolean {
  return a <= 2 * b && b <= 2 * a;
}

function secondsOf(job: JobRequest): number {
  return job.requestedWalltimeSeconds ?? 0;
}

/** Some of the waiting jobs, summed up. */
class Crowd {
  jobs = 0;
  work = 0;
  oldestAge = Number.NaN;
  newestAge = Number.NaN;
  private ages = 0;

  constructor(private readonly at: EpochSeconds) {}

  add(job: WaitingJob): void {
    const age = this.at - job.submitAt;
    this.jobs++;
    this.work += job.processors * secondsOf(job);
    this.ages += age;
    this.oldestAge = this.oldestAge >= age ? this.oldestAge : age;
    this.newestAge = this.newestAge <= age ? this.newestAge : age;
  }

  /** Not-a-number for nobody. */
  get meanAge(): number {
    return this.ages / this.jobs;
  }
}

function addCrowd(features: Features, group: string, crowd: Crowd): void {
  features.add(crowd.jobs, 'Jobs', group);
  features.add(crowd.work, 'Work', group);
  features.add(crowd.oldestAge, 'OldestAge', group);
  features.add(crowd.newestAge, 'NewestAge', group);
  features.add(crowd.meanAge, 'MeanAge', group);
}

/** Those of whom the names of features begin with that. */
const CROWDS = [
  'waiting',
  'waitingQueue',
  'waitingUser',
  'waitingSmaller',
  'waitingShorter',
  'waitingEasier',
  'waitingSimilar',
  'waitingTwins',
] as const;
const HOUR_SECONDS = 3600;
