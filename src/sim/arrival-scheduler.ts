import { ArrivalQueue } from './arrival-queue.ts';
import { JobState } from './job-table.ts';
import type { Machine } from './machine.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * First come, first served, with or without EASY backfilling. While no running job ends, nobody who was passed over can
 * become eligible (the window before the shadow time only shrinks), so a pass after submissions alone looks at the new
 * jobs only; every other pass searches the queue's tree.
 */
export class ArrivalScheduler implements Scheduler {
  readonly wakeAt = Number.POSITIVE_INFINITY;
  private readonly queue: ArrivalQueue;
  private head = -1;
  private shadowAt = Number.POSITIVE_INFINITY;
  private extra = 0;
  private settled = false;
  private newcomers: number[] = [];

  constructor(
    private readonly machine: Machine,
    private readonly backfills: boolean,
    /** Whether a waiting job's believed runtime also tells when it is expected to end once it runs. */
    private readonly beliefLasts: boolean,
  ) {
    this.queue = new ArrivalQueue(machine.table);
  }

  arrived(job: number): void {
    this.queue.push(job);
    this.newcomers.push(job);
  }

  withdrawn(job: number): void {
    this.queue.remove(job);
    if (job === this.head) this.settled = false;
  }

  ended(): void {
    this.settled = false;
  }

  expectedEndsCame(): void {
    this.settled = false;
  }

  surprised(): void {
    this.settled = false;
  }

  pass(): void {
    if (this.settled && this.head !== -1) this.backfillNewcomers();
    else this.passOverAll();
    this.newcomers.length = 0;
  }

  waiting(): Iterable<number> {
    return this.queue;
  }

  private passOverAll(): void {
    const { machine, queue } = this;
    const sizes = machine.table.columns.processors;
    this.head = queue.first();
    while (this.head !== -1 && (sizes[this.head] as number) <= machine.freeProcessors) {
      queue.remove(this.head);
      machine.start(this.head);
      this.head = queue.first();
    }
    this.settled = true;
    if (this.head === -1 || !this.backfills) return;
    const reservation = machine.reservationFor(sizes[this.head] as number);
    this.shadowAt = reservation.shadowAt;
    this.extra = reservation.extraProcessors;
    this.backfillBehindHead();
  }

  private backfillBehindHead(): void {
    const { machine, queue } = this;
    const windowSeconds = this.shadowAt - machine.now;
    let last = this.head;
    while (machine.freeProcessors > 0) {
      const job = queue.nextFitting(last, machine.freeProcessors, windowSeconds, this.extra);
      if (job === -1) return;
      this.startBackfilled(job, windowSeconds);
      last = job;
    }
  }

  private backfillNewcomers(): void {
    if (!this.backfills) return;
    const { processors, believedSeconds, state } = this.machine.table.columns;
    const windowSeconds = this.shadowAt - this.machine.now;
    for (const job of this.newcomers) {
      const size = processors[job] as number;
      if (state[job] !== JobState.WAITING || size > this.machine.freeProcessors) continue;
      if (size <= this.extra || (believedSeconds[job] as number) <= windowSeconds) {
        this.startBackfilled(job, windowSeconds);
      }
    }
  }

  private startBackfilled(job: number, windowSeconds: number): void {
    const { processors, believedSeconds } = this.machine.table.columns;
    this.queue.remove(job);
    this.machine.start(job);
    if ((believedSeconds[job] as number) > windowSeconds) this.extra -= processors[job] as number;
    if (!this.beliefLasts) this.settled = false;
  }
}
