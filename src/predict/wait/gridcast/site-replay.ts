import type { EpochSeconds } from '../../../domain/clock.ts';
import type { EndedRecord, StartedRecord } from '../../../domain/job.ts';
import type { RunningJob, Snapshot, WaitingJob } from '../../../domain/snapshot.ts';

/** Who is told what happened, in the order in which it did. */
export interface ReplayListener {
  /** @param state as the job found it, only good during the call; null where nobody watched */
  submitted(job: WaitingJob, state: Snapshot | null): void;
  started(record: StartedRecord): void;
  /** @param runSeconds where nobody told the end, to within half the time between two snapshots */
  ended(job: RunningJob, runSeconds: number): void;
}

/** What became known since a snapshot, in any order. */
export interface KnownSince {
  readonly started: readonly StartedRecord[];
  readonly ended: readonly EndedRecord[];
}

/**
 * Tells what happened between two snapshots of a site, from what they show and the starts and ends that have become
 * known since the first. These and submissions are known to the second. A job that no longer runs and whose end nobody
 * told runs until the second snapshot, so that no state lacks one that may still have run, or until another could not
 * have started without its processors. At one moment submissions come first.
 * @param before null when there is none that is recent enough: then every state is null
 */
export function replayBetween(
  before: Snapshot | null,
  after: Snapshot,
  known: KnownSince,
  listener: ReplayListener,
): void {
  if (before === null) replayUnwatched(known.started, listener);
  else new Replay(before, after, known, listener).run();
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
  /** The ends that were told, in their order. */
  private readonly ends: End[] = [];
  /** The others, those of jobs that began first coming first. */
  private readonly untold: RunningJob[] = [];

  constructor(
    private readonly before: Snapshot,
    private readonly after: Snapshot,
    private readonly known: KnownSince,
    private readonly listener: ReplayListener,
  ) {
    this.waiting = [...before.waiting];
    this.running = [...before.running];
    this.state = { ...before, waiting: this.waiting, running: this.running };
    this.findEnds();
  }

  run(): void {
    const submitted = this.submissions().map((job) => ({ at: job.submitAt, kind: SUBMITTED, job, record: null }));
    const starts = this.known.started.map((record) => ({ at: record.startAt, kind: STARTED, job: null, record }));
    const events = [...submitted, ...starts].sort((a, b) => a.at - b.at || a.kind - b.kind);
    for (const { at, job, record } of events) {
      this.endBefore(at);
      this.state.observedAt = Math.max(this.before.observedAt, at);
      if (job) this.submit(job);
      else if (record) this.start(record);
    }
    this.endBefore(Number.POSITIVE_INFINITY);
    for (const job of this.untold) this.end(job, halfway(job, this.before, this.after));
  }

  private endBefore(moment: EpochSeconds): void {
    while ((this.ends[0]?.at ?? Number.POSITIVE_INFINITY) < moment) this.endTold();
  }

  private submit(job: WaitingJob): void {
    this.listener.submitted(job, this.state);
    this.waiting.push(job);
  }

  private start(record: StartedRecord): void {
    const index = this.waiting.findIndex((job) => job.nativeId === record.nativeId);
    if (index >= 0) {
      this.makeRoom(record);
      const [job] = this.waiting.splice(index, 1);
      this.running.push({ ...(job as WaitingJob), startAt: record.startAt });
      this.state.freeProcessors = Math.max(0, this.state.freeProcessors - record.processors);
    }
    this.listener.started(record);
  }

  /** Ends what must have ended for a job to start. */
  private makeRoom({ processors, startAt }: StartedRecord): void {
    while (this.state.freeProcessors < processors) {
      if ((this.ends[0]?.at ?? Number.POSITIVE_INFINITY) <= startAt) this.endTold();
      else {
        const job = this.untold.shift();
        if (!job) return;
        this.end(job, Math.min(startAt, halfway(job, this.before, this.after)));
      }
    }
  }

  private endTold(): void {
    const { at, job } = this.ends.shift() as End;
    this.end(job, at);
  }

  private end(job: RunningJob, at: EpochSeconds): void {
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
    for (const jobs of [this.after.waiting, this.after.running, this.known.started]) {
      for (const job of jobs) {
        if (job.submitAt <= this.before.observedAt || known.has(job.nativeId)) continue;
        known.add(job.nativeId);
        found.push({ ...job, key: null });
      }
    }
    return found;
  }

  private findEnds(): void {
    const still = new Set(this.after.running.map(({ nativeId }) => nativeId));
    const told = new Map(this.known.ended.map((record) => [nameOf(record), record.endAt]));
    const startedSince = this.known.started
      .filter(({ startAt }) => startAt > this.before.observedAt)
      .map((record) => ({ ...record, key: null }));
    for (const job of [...this.before.running, ...startedSince]) {
      if (still.has(job.nativeId)) continue;
      const at = told.get(nameOf(job));
      if (at === undefined) this.untold.push(job);
      else this.ends.push({ at: Math.max(job.startAt, at), job });
    }
    this.ends.sort((a, b) => a.at - b.at);
    this.untold.sort((a, b) => a.startAt - b.startAt);
  }
}

interface End {
  readonly at: EpochSeconds;
  readonly job: RunningJob;
}

/** The middle of the time in which a job ended. */
function halfway({ startAt }: RunningJob, before: Snapshot, after: Snapshot): EpochSeconds {
  const from = Math.max(startAt, before.observedAt);
  return from + Math.max(0, after.observedAt - from) / 2;
}

/** Sites use the numbers of jobs again. */
function nameOf({ nativeId, submitAt }: { readonly nativeId: string; readonly submitAt: EpochSeconds }): string {
  return `${nativeId}@${submitAt}`;
}

const SUBMITTED = 0;
const STARTED = 1;
