import { DAY_SECONDS, type EpochSeconds } from '../../../domain/clock.ts';
import { plannedWalltimeSeconds } from '../../../domain/job.ts';
import { keepClass } from '../../../domain/kept-classes.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../domain/snapshot.ts';
import { calendarFeatures } from '../../online/calendar-features.ts';
import type { JobShape } from '../backfill-pass.ts';
import { gapFor, planLoad, type SiteLoad, type TotalSeconds } from '../site-load.ts';
import type { LaterFeatureRow } from './hazard-trees.ts';
import type { SiteMemory } from './site-memory.ts';
import type { SitePast } from './site-past.ts';

/** A job that would be submitted now or later. */
export interface LaterJob extends JobShape {
  readonly submitAt: EpochSeconds;
}

/**
 * What is known at one snapshot of any job that would be submitted at it or later, as numbers; not-a-number stands for
 * unknown. Processors and work are in shares of the machine, so that sites and times of different sizes are alike.
 */
export class LaterFeatures {
  private readonly expected: SiteLoad;
  private readonly machine: number;
  private readonly siteValues: readonly number[];

  constructor(
    readonly state: Snapshot,
    /** With the requested walltimes. */
    private readonly requested: SiteLoad,
    private readonly memory: SiteMemory,
    private readonly past: SitePast,
  ) {
    this.expected = planLoad(state, this.expectation());
    this.machine = Math.max(1, state.processors);
    this.siteValues = Object.values(this.siteFeatures());
  }

  /** O(steps of the plans of a day). */
  of(job: LaterJob): LaterFeatureRow {
    const ofJob = this.jobFeatures(job);
    return {
      values: Float32Array.from([...Object.values(ofJob), ...this.siteValues]),
      plannedWaitSeconds: [ofJob.plannedWaitByRequest, ofJob.plannedWaitByExpectation],
      timeOfDaySeconds: ofJob.timeOfDaySeconds,
    };
  }

  /** Of the job at its moment, the first values of a row. */
  jobFeatures(job: LaterJob) {
    const { processors, walltimeSeconds, submitAt } = job;
    const byRequest = gapFor(this.requested, processors, walltimeSeconds, submitAt);
    const byExpectation = gapFor(this.expected, processors, walltimeSeconds, submitAt);
    const { timeOfDaySeconds, dayOfWeek } = calendarFeatures(submitAt);
    const { arrivals } = this.memory.outlook;
    const [startableLastHours, startableLastQuarter, startableLastDay] = this.past.startableShares(job, PAST_SECONDS);
    return {
      plannedWaitByRequest: Math.min(LONGEST_SECONDS, byRequest.startAt - submitAt),
      plannedWaitByExpectation: Math.min(LONGEST_SECONDS, byExpectation.startAt - submitAt),
      leftOverByRequest: this.share(byRequest.leastFree - processors),
      leftOverByExpectation: this.share(byExpectation.leastFree - processors),
      spareThenByRequest: this.share(freeAt(this.requested, submitAt) - processors),
      spareThenByExpectation: this.share(freeAt(this.expected, submitAt) - processors),
      spareNow: this.share(this.state.freeProcessors - processors),
      leadSeconds: submitAt - this.state.observedAt,
      processors: this.share(processors),
      walltimeSeconds,
      timeOfDaySeconds,
      dayOfWeek,
      startableLastHours,
      startableLastQuarter,
      startableLastDay,
      plannedWaitDayBefore: Math.min(LONGEST_SECONDS, this.past.plannedWaitDaysBefore(job, submitAt, 1)),
      plannedWaitWeekBefore: Math.min(LONGEST_SECONDS, this.past.plannedWaitDaysBefore(job, submitAt, 7)),
      ...(arrivals && { arrivalsBefore: this.share(arrivals.within(submitAt - this.state.observedAt)) }),
    };
  }

  /** Of the site now, the last values of a row. */
  siteFeatures(): Record<string, number> {
    const { waiting, running, observedAt, freeProcessors } = this.state;
    const expectation = this.expectation();
    const trail = this.memory.ofSite();
    const { arrivals } = this.memory.outlook;
    const sum = (jobs: readonly WaitingJob[], of: (job: WaitingJob) => number) =>
      this.share(jobs.reduce((total, job) => total + job.processors * of(job), 0));
    const left = (seconds: TotalSeconds) => (job: WaitingJob) =>
      Math.max(0, (job as RunningJob).startAt + seconds(job) - observedAt);
    return {
      freeProcessors: this.share(freeProcessors),
      waitingJobs: waiting.length,
      waitingProcessors: sum(waiting, () => 1),
      waitingWorkByRequest: sum(waiting, plannedWalltimeSeconds),
      waitingWorkByExpectation: sum(waiting, expectation),
      largestWaiting: this.share(waiting.reduce((most, job) => Math.max(most, job.processors), 0)),
      oldestWaitingAge: observedAt - waiting.reduce((first, job) => Math.min(first, job.submitAt), observedAt),
      workLeftByRequest: sum(running, left(plannedWalltimeSeconds)),
      workLeftByExpectation: sum(running, left(expectation)),
      startedLastHour: sum(running, (job) => (observedAt - (job as RunningJob).startAt < HOUR_SECONDS ? 1 : 0)),
      arrivedLastHour: this.share(this.past.arrivedProcessors(HOUR_SECONDS)),
      arrivedLastQuarter: this.share(this.past.arrivedProcessors(6 * HOUR_SECONDS)),
      arrivedLastDay: this.share(this.past.arrivedProcessors(DAY_SECONDS)),
      freeLastHour: this.share(this.past.meanFreeProcessors(HOUR_SECONDS)),
      freeLastQuarter: this.share(this.past.meanFreeProcessors(6 * HOUR_SECONDS)),
      freeLastDay: this.share(this.past.meanFreeProcessors(DAY_SECONDS)),
      meanLogWait: trail.meanLog,
      lastWait: trail.lastSeconds,
      ...(arrivals && {
        arrivalsNextHour: this.share(arrivals.within(HOUR_SECONDS)),
        arrivalsNextQuarter: this.share(arrivals.within(6 * HOUR_SECONDS)),
      }),
    };
  }

  private expectation(): TotalSeconds {
    return (job) =>
      'startAt' in job
        ? this.memory.expectedTotalSeconds(job, this.state.observedAt)
        : this.memory.expectedRunSeconds(job);
  }

  private share(processors: number): number {
    return processors / this.machine;
  }
}

function freeAt({ stepAt, freeProcessors }: SiteLoad, at: EpochSeconds): number {
  const next = stepAt.findIndex((step) => step > at);
  return freeProcessors.at(next < 0 ? -1 : Math.max(0, next - 1)) as number;
}

const HOUR_SECONDS = 3600;
/** How far one looks back for when the job could have started. */
const PAST_SECONDS = [2 * HOUR_SECONDS, 6 * HOUR_SECONDS, DAY_SECONDS] as const;
/** Beyond it waits are all alike. */
const LONGEST_SECONDS = 172_800;

keepClass(LaterFeatures);
