import { DAY_SECONDS, type EpochSeconds } from '../../../domain/clock.ts';
import type { JobRequest } from '../../../domain/job.ts';
import type { RunningJob, Snapshot } from '../../../domain/snapshot.ts';
import type { Features } from '../../online/features.ts';
import { isSimilar } from './queue-features.ts';

/**
 * Who runs at a job's submission, what is free, and how long those that run had waited, the latest starts above all.
 */
export function addMachine(features: Features, job: JobRequest, at: EpochSeconds, state: Snapshot): void {
  const [all, queue, user, similar] = [new Starts(at), new Starts(at), new Starts(at), new Starts(at)];
  for (const other of state.running) {
    all.add(other);
    if (other.user === job.user) user.add(other);
    if (other.queue !== job.queue) continue;
    queue.add(other);
    if (isSimilar(other, job) || isAtLeast(other, job)) similar.add(other);
  }
  features.add(state.freeProcessors, 'freeProcessors');
  features.add(state.freeProcessors - job.processors, 'spareProcessors');
  addStarts(features, 'running', all);
  addStarts(features, 'runningQueue', queue);
  addStarts(features, 'runningUser', user);
  addStarts(features, 'runningSimilar', similar);
}

function isAtLeast(other: JobRequest, job: JobRequest): boolean {
  const seconds = ({ requestedWalltimeSeconds }: JobRequest) => requestedWalltimeSeconds ?? 0;
  return other.processors >= job.processors && seconds(other) >= seconds(job);
}

/** Some of the running jobs, summed up. */
class Starts {
  jobs = 0;
  processors = 0;
  work = 0;
  startedLastHour = 0;
  startedLastDayWork = 0;
  newestSubmitAgo = Number.NaN;
  lastStartAgo = Number.NaN;
  lastStartWait = Number.NaN;
  private weightedWaits = 0;
  private weights = 0;

  constructor(private readonly at: EpochSeconds) {}

  add(job: RunningJob): void {
    const startAgo = this.at - job.startAt;
    const submitAgo = this.at - job.submitAt;
    const work = job.processors * (job.requestedWalltimeSeconds ?? 0);
    this.jobs++;
    this.processors += job.processors;
    this.work += work;
    if (startAgo < HOUR_SECONDS) this.startedLastHour++;
    if (startAgo < DAY_SECONDS) this.startedLastDayWork += work;
    if (!(this.newestSubmitAgo <= submitAgo)) this.newestSubmitAgo = submitAgo;
    const weight = Math.exp(-startAgo / FADING_SECONDS);
    this.weightedWaits += weight * (submitAgo - startAgo);
    this.weights += weight;
    if (this.lastStartAgo < startAgo) return;
    this.lastStartAgo = startAgo;
    this.lastStartWait = submitAgo - startAgo;
  }

  /** Waits of the running jobs, those that started lately weighing most. */
  get fadingMeanWait(): number {
    return this.weightedWaits / this.weights;
  }
}

function addStarts(features: Features, group: string, starts: Starts): void {
  features.add(starts.jobs, 'Jobs', group);
  features.add(starts.processors, 'Processors', group);
  features.add(starts.work, 'Work', group);
  features.add(starts.startedLastHour, 'StartedLastHour', group);
  features.add(starts.startedLastDayWork, 'StartedLastDayWork', group);
  features.add(starts.newestSubmitAgo, 'NewestSubmitAgo', group);
  features.add(starts.lastStartWait, 'LastStartWait', group);
  features.add(starts.fadingMeanWait, 'FadingMeanWait', group);
}

const HOUR_SECONDS = 3600;
const FADING_SECONDS = 7200;
