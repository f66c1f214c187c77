import type { EpochSeconds } from '../../../domain/clock.ts';
import type { StartedRecord } from '../../../domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../domain/snapshot.ts';

/** Who is told what happened, in the order in which it did. */
export interface ReplayListener {
  /** @param state as the job found it, only good during the call; null where nobody watched */
  submitted(job: WaitingJob, state: Snapshot | null): void;
  started(record: StartedRecord): void;
  /** @param runSeconds to within half the time between two snapshots */
  ended(job: RunningJob, runSeconds: number): void;
}

/**
 * Tells what happened between two snapshots of a site, from what they show and the starts that have become known since
 * the first. Submissions and starts are known to the second. A job that no longer runs ended halfway between the
 * snapshots, or earlier when another could not have started without its processors. At one moment submissions come
 * first.
 * @param before null when there is none that is recent enough: then every state is null
 * @param started in any order
 */
export function replayBetween(
  before: Snapshot | null,
  after: Snapshot,
  started: readonly StartedRecord[],
  listener: ReplayListener,
): void {
  if (before === null) replayUnwatched(started, listener);
  else new Replay(before, after, started, listener).run();
}

function replayUnwatched(started: readonly StartedRecord[], listener: ReplayListener): void {
  const events = started.flatMap((record) => [
    { at: record.submitAt, kind: SUBMITTED, tell: () => listener.submitted({ ...record, key: null }, null) },
    { at: record.startAt, kind: STARTED, tell: () => listener.started(record) },
  ]);
  events.sort((a, b) => a.at - b.at || a.kind - b.kind);
  for (const event of events) event.tell();
}

class Replay {
  private readonly state: Snapshot & { observedAt: EpochSeconds; freeProcessors: number };
  private readonly waiting: WaitingJob[];
  private readonly running: RunningJob[];
  private readonly ends: { readonly at: EpochSeconds; readonly job: RunningJob }[];

  constructor(
    private readonly before: Snapshot,
    private readonly after: Snapshot,
    private readonly started: readonly StartedRecord[],
    private readonly listener: ReplayListener,
  ) {
    this.waiting = [...before.waiting];
    this.running = [...before.running];
    this.state = { ...before, waiting: this.waiting, running: this.running };
    this.ends = this.endsBetween();
  }

  run(): void {
    const submitted = this.submissions().map((job) => ({ at: job.submitAt, kind: SUBMITTED, job, record: null }));
    const starts = this.started.map((record) => ({ at: record.startAt, kind: STARTED, job: null, record }));
    const events = [...submitted, ...starts].sort((a, b) => a.at - b.at || a.kind - b.kind);
    for (const { at, job, record } of events) {
      while ((this.ends[0]?.at ?? Number.POSITIVE_INFINITY) < at) this.end();
      this.state.observedAt = Math.max(this.before.observedAt, at);
      if (job) this.submit(job);
      else if (record) this.start(record);
    }
    while (this.ends.length > 0) this.end();
  }

  private submit(job: WaitingJob): void {
    this.listener.submitted(job, this.state);
    this.waiting.push(job);
  }

  private start(record: StartedRecord): void {
    const index = this.waiting.findIndex((job) => job.nativeId === record.nativeId);
    if (index >= 0) {
      while (this.state.freeProcessors < record.processors && this.ends.length > 0) this.end();
      const [job] = this.waiting.splice(index, 1);
      this.running.push({ ...(job as WaitingJob), startAt: record.startAt });
      this.state.freeProcessors = Math.max(0, this.state.freeProcessors - record.processors);
    }
    this.listener.started(record);
  }

  private end(): void {
    const { at, job } = this.ends.shift() as { at: EpochSeconds; job: RunningJob };
    const index = this.running.findIndex(({ nativeId }) => nativeId === job.nativeId);
    if (index >= 0) {
      this.running.splice(index, 1);
      this.state.freeProcessors += job.processors;
    }
    this.listener.ended(job, at - job.startAt);
  }

  /** Jobs that are seen for the first time. */
  private submissions(): WaitingJob[] {
    const known = new Set<string>();
    for (const job of this.before.waiting) known.add(job.nativeId);
    for (const job of this.before.running) known.add(job.nativeId);
    const found: WaitingJob[] = [];
    for (const jobs of [this.after.waiting, this.after.running, this.started]) {
      for (const job of jobs) {
        if (job.submitAt <= this.before.observedAt || known.has(job.nativeId)) continue;
        known.add(job.nativeId);
        found.push({ ...job, key: null });
      }
    }
    return found;
  }

  private endsBetween(): { at: EpochSeconds; job: RunningJob }[] {
    const still = new Set(this.after.running.map(({ nativeId }) => nativeId));
    const startedSince = this.started
      .filter(({ startAt }) => startAt > this.before.observedAt)
      .map((record) => ({ ...record, key: null }));
    return [...this.before.running, ...startedSince]
      .filter(({ nativeId }) => !still.has(nativeId))
      .map((job) => {
        const from = Math.max(job.startAt, this.before.observedAt);
        return { at: from + Math.max(0, this.after.observedAt - from) / 2, job };
      })
      .sort((a, b) => a.at - b.at);
  }
}

const SUBMITTED = 0;
const STARTED = 1;
