import type { Machine } from './machine.ts';
import { Profile } from './profile.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Conservative backfilling: every job gets, as it arrives, the earliest start that delays nobody before it. When a job
 * ends early, the waiting jobs are moved forward one by one in the order of arrival, each to the earliest hole that
 * then exists; a job's guaranteed start never moves back. Only when the machine or the beliefs change are all
 * guarantees made anew.
 */
export class ConservativeScheduler implements Scheduler {
  wakeAt = Number.POSITIVE_INFINITY;
  private queue: number[] = [];
  private readonly profile: Profile;
  private promisedAt = new Float64Array(1024);
  private unplaced: number[] = [];
  private freed = false;
  private stale = false;

  constructor(private readonly machine: Machine) {
    this.profile = new Profile(machine.now, machine.processors);
  }

  arrived(job: number): void {
    if (job >= this.promisedAt.length) {
      const wider = new Float64Array(Math.max(this.promisedAt.length * 2, job + 1));
      wider.set(this.promisedAt);
      this.promisedAt = wider;
    }
    this.promisedAt[job] = Number.POSITIVE_INFINITY;
    this.queue.push(job);
    this.unplaced.push(job);
  }

  withdrawn(job: number): void {
    this.queue = this.queue.filter((other) => other !== job);
    if (this.unplaced.includes(job)) this.unplaced = this.unplaced.filter((other) => other !== job);
    else this.release(job, this.promisedAt[job] as number);
    this.freed = true;
  }

  ended(job: number): void {
    const { processors, expectedEndAt } = this.machine.table.columns;
    const now = this.machine.now;
    if ((expectedEndAt[job] as number) > now) {
      this.profile.add(processors[job] as number, now, expectedEndAt[job] as number);
    }
    this.freed = true;
  }

  expectedEndsCame(): void {}

  surprised(): void {
    this.stale = true;
  }

  pass(): void {
    this.profile.forget(this.machine.now);
    if (this.stale) this.planAnew();
    else if (this.freed) this.moveForward();
    for (const job of this.unplaced) this.place(job);
    this.unplaced.length = 0;
    this.freed = false;
    this.stale = false;
    this.startDue();
  }

  waiting(): Iterable<number> {
    return this.queue;
  }

  /** The start guaranteed to a waiting job; infinite before its first pass. */
  promiseOf(job: number): number {
    return this.promisedAt[job] as number;
  }

  private moveForward(): void {
    const { processors, believedSeconds } = this.machine.table.columns;
    const now = this.machine.now;
    for (const job of this.queue) {
      const promised = this.promisedAt[job] as number;
      if (promised <= now || promised === Number.POSITIVE_INFINITY) continue;
      this.release(job, promised);
      const earliest = this.profile.earliest(processors[job] as number, believedSeconds[job] as number, now, promised);
      this.occupy(job, Math.min(earliest, promised));
    }
  }

  private planAnew(): void {
    this.planRunning();
    this.unplaced = [...this.queue];
  }

  private planRunning(): void {
    const { machine, profile } = this;
    const { processors, expectedEndAt } = machine.table.columns;
    profile.reset(machine.now, machine.processors);
    for (const job of machine.runningJobs) {
      profile.add(-(processors[job] as number), machine.now, expectedEndAt[job] as number);
    }
  }

  private place(job: number): void {
    const { processors, believedSeconds } = this.machine.table.columns;
    this.occupy(
      job,
      this.profile.earliest(processors[job] as number, believedSeconds[job] as number, this.machine.now),
    );
  }

  private occupy(job: number, startAt: number): void {
    this.promisedAt[job] = startAt;
    if (startAt === Number.POSITIVE_INFINITY) return;
    const { processors, believedSeconds } = this.machine.table.columns;
    this.profile.add(-(processors[job] as number), startAt, startAt + (believedSeconds[job] as number));
  }

  private release(job: number, startAt: number): void {
    if (startAt === Number.POSITIVE_INFINITY) return;
    const { processors, believedSeconds } = this.machine.table.columns;
    this.profile.add(processors[job] as number, startAt, startAt + (believedSeconds[job] as number));
  }

  private startDue(): void {
    const { machine } = this;
    const kept: number[] = [];
    let soonest = Number.POSITIVE_INFINITY;
    for (const job of this.queue) {
      const promised = this.promisedAt[job] as number;
      if (promised > machine.now) {
        kept.push(job);
        soonest = Math.min(soonest, promised);
      } else {
        machine.start(job);
        this.adjustToExpectedEnd(job);
      }
    }
    this.queue = kept;
    this.wakeAt = soonest;
  }

  /** A job believed differently once it runs is expected to hold its processors for another time than was planned. */
  private adjustToExpectedEnd(job: number): void {
    const { processors, believedSeconds, expectedEndAt } = this.machine.table.columns;
    const planned = this.machine.now + (believedSeconds[job] as number);
    const expected = expectedEndAt[job] as number;
    if (expected === planned) return;
    const size = processors[job] as number;
    this.profile.add(size, this.machine.now, planned);
    this.profile.add(-size, this.machine.now, expected);
    this.stale = true;
  }
}
