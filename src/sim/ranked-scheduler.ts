import type { Machine } from './machine.ts';
import type { Policy, Rank } from './policy.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * A queue in the order of a policy's rank, with or without EASY backfilling. Ranks may change with time, so nothing is
 * kept sorted: each pass ranks everybody, finds the head, and sorts only the few whom backfilling could start. O(n) a
 * pass and start.
 */
export class RankedScheduler implements Scheduler {
  readonly wakeAt = Number.POSITIVE_INFINITY;
  /** Waiting jobs in no order. */
  private queue: number[] = [];
  private ranks = new Float64Array(1024);
  private readonly rank: Rank;
  private readonly backfillRank: Rank | null;
  private readonly backfills: boolean;

  constructor(
    private readonly machine: Machine,
    { rank, backfillRank, backfill }: Policy,
  ) {
    this.rank = rank ?? inOrderOfArrival;
    this.backfillRank = backfillRank ?? null;
    this.backfills = backfill === 'easy';
  }

  arrived(job: number): void {
    this.queue.push(job);
  }

  withdrawn(job: number): void {
    this.remove(this.queue.indexOf(job));
  }

  ended(): void {}

  expectedEndsCame(): void {}

  surprised(): void {}

  pass(): void {
    if (this.machine.freeProcessors === 0) return;
    this.rankAll(this.queue, this.rank);
    const machine = this.machine;
    const { processors } = machine.table.columns;
    for (let head = this.firstPosition(); head !== -1; head = this.firstPosition()) {
      const job = this.queue[head] as number;
      if ((processors[job] as number) > machine.freeProcessors) {
        if (this.backfills) this.backfillBehind(job);
        return;
      }
      this.remove(head);
      machine.start(job);
    }
  }

  waiting(): Iterable<number> {
    this.rankAll(this.queue, this.rank);
    return this.queue.toSorted((a, b) => this.compare(a, b));
  }

  /**
   * Starts, in the order of rank, whoever fits beside the reservation of the head. What is free only shrinks meanwhile.
   */
  private backfillBehind(head: number): void {
    const machine = this.machine;
    const { processors, believedSeconds } = machine.table.columns;
    const reservation = machine.reservationFor(processors[head] as number);
    const windowSeconds = reservation.shadowAt - machine.now;
    let extra = reservation.extraProcessors;
    const isShort = (job: number) => (believedSeconds[job] as number) <= windowSeconds;
    const fits = (job: number) => {
      const size = processors[job] as number;
      return size <= machine.freeProcessors && (size <= extra || isShort(job));
    };
    const candidates = this.queue.filter((job) => job !== head && fits(job));
    if (this.backfillRank) this.rankAll(candidates, this.backfillRank);
    candidates.sort((a, b) => this.compare(a, b));
    for (const job of candidates) {
      if (!fits(job)) continue;
      this.remove(this.queue.indexOf(job));
      machine.start(job);
      if (!isShort(job)) extra -= processors[job] as number;
    }
  }

  private rankAll(jobs: readonly number[], rank: Rank): void {
    const { now, table } = this.machine;
    const { columns } = table;
    if (this.ranks.length < columns.state.length) this.ranks = new Float64Array(columns.state.length);
    for (const job of jobs) this.ranks[job] = rank(columns, job, now);
  }

  /** Where in the queue the job of the smallest rank is, -1 in an empty one. */
  private firstPosition(): number {
    let first = this.queue.length - 1;
    for (let position = first - 1; position >= 0; position--) {
      if (this.compare(this.queue[position] as number, this.queue[first] as number) < 0) first = position;
    }
    return first;
  }

  private compare(a: number, b: number): number {
    return (this.ranks[a] as number) - (this.ranks[b] as number) || a - b;
  }

  /** Fills the gap with the last of the queue. */
  private remove(position: number): void {
    const last = this.queue.pop() as number;
    if (position < this.queue.length) this.queue[position] = last;
  }
}

const inOrderOfArrival: Rank = () => 0;
