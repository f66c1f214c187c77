import type { EpochSeconds } from '../../domain/clock.ts';
import { amountsOf, type JobRecord } from '../../domain/job.ts';
import { partitionPoint } from '../../domain/partition-point.ts';
import type { SitePart } from '../../domain/site-part.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../domain/snapshot.ts';

/** Sums over the queue and the machine at one moment. */
export interface TimelineTotals {
  readonly waitingJobs: number;
  readonly waitingProcessors: number;
  /** Requested; jobs without a requested walltime count nothing. */
  readonly waitingProcessorSeconds: number;
  readonly runningJobs: number;
  readonly busyProcessors: number;
}

const SUBMIT = 0;
const START = 1;
const END = 2;
type Kind = typeof SUBMIT | typeof START | typeof END;

/** Events between two remembered states. */
const CHECKPOINT_EVENTS = 1024;

/** What is known of a job, and what of it a snapshot may show. */
interface Known {
  readonly shown: WaitingJob;
  startAt: EpochSeconds | null;
  endAt: EpochSeconds | null;
}

interface Event {
  readonly at: EpochSeconds;
  readonly kind: Kind;
  readonly job: Known;
}

/** Who waits and who runs after the first `position` events. */
interface Checkpoint {
  readonly position: number;
  readonly waiting: readonly Known[];
  readonly running: readonly Known[];
}

/**
 * A site's queue and processors at any moment, rebuilt from what is known of its jobs. `observe` takes each new fact
 * in, in whatever order facts arrive; asking for the newest moment costs as much as there is new, asking for an earlier
 * one at most `CHECKPOINT_EVENTS` steps more. A state never shows more of a job than was true at its moment: no start
 * or end to come.
 */
export class Timeline {
  private readonly jobs = new Map<string, Known>();
  private readonly events: Event[] = [];
  private checkpoints: Checkpoint[] = [];
  private position = 0;
  private waiting = new Set<Known>();
  private running = new Set<Known>();
  private waitingProcessors = 0;
  private waitingProcessorSeconds = 0;
  private busyProcessors = 0;

  /** @param parts of the site; absent where that is not told */
  constructor(
    private readonly processors: number,
    private readonly parts?: readonly SitePart[],
  ) {}

  /**
   * Takes in what is now known of a job. Later facts complete earlier ones; a changed start or end replaces what was
   * known.
   */
  observe(record: JobRecord): void {
    const name = `${record.nativeId}@${record.submitAt}`;
    let job = this.jobs.get(name);
    if (!job) {
      job = { shown: shownOf(record), startAt: null, endAt: null };
      this.jobs.set(name, job);
      this.insert({ at: record.submitAt, kind: SUBMIT, job });
    }
    this.learn(job, START, job.startAt, record.startAt);
    job.startAt = record.startAt;
    this.learn(job, END, job.endAt, record.endAt);
    job.endAt = record.endAt;
  }

  /** The state at `at`, with everything that happened at that moment. */
  snapshotAt(at: EpochSeconds): Snapshot {
    this.goTo(at);
    const waiting = Array.from(this.waiting, (job) => job.shown);
    const running = Array.from(this.running, (job): RunningJob => {
      return { ...job.shown, startAt: job.startAt as EpochSeconds };
    });
    waiting.sort((a, b) => a.submitAt - b.submitAt);
    const freeProcessors = Math.max(0, this.processors - this.busyProcessors);
    const parts = this.parts && { parts: this.parts };
    return { observedAt: at, processors: this.processors, freeProcessors, waiting, running, ...parts };
  }

  /** Sums of the state at `at`; constant time once the timeline stands there. */
  totalsAt(at: EpochSeconds): TimelineTotals {
    this.goTo(at);
    return {
      waitingJobs: this.waiting.size,
      waitingProcessors: this.waitingProcessors,
      waitingProcessorSeconds: this.waitingProcessorSeconds,
      runningJobs: this.running.size,
      busyProcessors: this.busyProcessors,
    };
  }

  private learn(job: Known, kind: Kind, before: EpochSeconds | null, after: EpochSeconds | null): void {
    if (before === after) return;
    if (before !== null) this.remove(job, kind, before);
    if (after !== null) this.insert({ at: after, kind, job });
  }

  /** Adds an event behind all that do not come after it. */
  private insert(event: Event): void {
    const last = this.events.at(-1);
    if (!last || !comesBefore(event, last)) {
      this.events.push(event);
      return;
    }
    const position = this.firstAfter(event.at, event.kind);
    this.events.splice(position, 0, event);
    this.forgetFrom(position);
  }

  private remove(job: Known, kind: Kind, at: EpochSeconds): void {
    for (let position = this.firstAfter(at, kind) - 1; position >= 0; position--) {
      const event = this.events[position] as Event;
      if (event.job !== job || event.kind !== kind) continue;
      this.events.splice(position, 1);
      this.forgetFrom(position);
      return;
    }
  }

  /**
   * The states after event `position` are no longer what they were; goes back before it when the present is among them.
   */
  private forgetFrom(position: number): void {
    this.checkpoints = this.checkpoints.filter((checkpoint) => checkpoint.position <= position);
    if (this.position > position) this.restore(position);
  }

  private goTo(at: EpochSeconds): void {
    const target = this.firstAfter(at, END);
    if (target < this.position) this.restore(target);
    while (this.position < target) this.apply(this.events[this.position++] as Event);
  }

  /** Stands at the last remembered state that is not behind event `position`. */
  private restore(position: number): void {
    const isReached = (index: number) => (this.checkpoints[index] as Checkpoint).position <= position;
    const checkpoint = this.checkpoints[partitionPoint(this.checkpoints.length, isReached) - 1];
    this.position = checkpoint?.position ?? 0;
    this.waiting = new Set(checkpoint?.waiting);
    this.running = new Set(checkpoint?.running);
    this.waitingProcessors = 0;
    this.waitingProcessorSeconds = 0;
    this.busyProcessors = 0;
    for (const job of this.waiting) this.countWaiting(job, 1);
    for (const job of this.running) this.busyProcessors += job.shown.processors;
  }

  private apply({ kind, job }: Event): void {
    if (kind === SUBMIT) {
      this.waiting.add(job);
      this.countWaiting(job, 1);
    } else {
      if (this.waiting.delete(job)) this.countWaiting(job, -1);
      if (kind === START) {
        this.running.add(job);
        this.busyProcessors += job.shown.processors;
      } else if (this.running.delete(job)) this.busyProcessors -= job.shown.processors;
    }
    if (this.position % CHECKPOINT_EVENTS === 0) this.remember();
  }

  private remember(): void {
    if (this.position <= (this.checkpoints.at(-1)?.position ?? 0)) return;
    this.checkpoints.push({ position: this.position, waiting: [...this.waiting], running: [...this.running] });
  }

  private countWaiting({ shown }: Known, sign: 1 | -1): void {
    this.waitingProcessors += sign * shown.processors;
    this.waitingProcessorSeconds += sign * shown.processors * (shown.requestedWalltimeSeconds ?? 0);
  }

  /** Number of events up to moment `at` whose kind is at most `kind` at that very moment. */
  private firstAfter(at: EpochSeconds, kind: Kind): number {
    return partitionPoint(this.events.length, (index) => {
      const event = this.events[index] as Event;
      return event.at < at || (event.at === at && event.kind <= kind);
    });
  }
}

/** Events of one moment: submissions, then starts, then ends, so that each job's own come in their order. */
function comesBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.kind < b.kind);
}

function shownOf(record: JobRecord): WaitingJob {
  const { nativeId, user, queue, processors, requestedWalltimeSeconds, submitAt } = record;
  const shown = { nativeId, key: null, user, queue, processors, requestedWalltimeSeconds, submitAt };
  return { ...shown, ...amountsOf(record) };
}
