import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { EpochSeconds } from '../../../domain/clock.ts';
import { plannedWalltimeSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { BackfillPass, type JobShape } from '../backfill-pass.ts';
import type { LaterJob } from './later-features.ts';

/** A job that nobody submits, with what was noted of it when it was thought of. */
interface WouldBeJob<Note> extends LaterJob {
  readonly note: Note;
  /** Of the last snapshot that did not start it; null before its submission. */
  waitedUntil: EpochSeconds | null;
}

/** What became of one. */
export interface WouldBeWait<Note> {
  readonly note: Note;
  readonly waitSeconds: number;
  /** Whether it would have started then; else it would have waited longer. */
  readonly isOver: boolean;
}

/** A look at one that was submitted, at a snapshot. */
export interface WouldBeLook<Note> {
  readonly note: Note;
  /** How long it had waited at the snapshot before; null when this is the first since its submission. */
  readonly fromSeconds: number | null;
  readonly toSeconds: number;
  /** Whether it starts here. */
  readonly isOver: boolean;
}

/**
 * Thinks of jobs of all shapes, to be submitted now or within some hours, and watches from snapshot to snapshot when
 * each would have started had only it been submitted besides. So a site can be known at every hour and for every shape,
 * not only for those that its users happen to submit. Waits are known to half the time between snapshots. The same
 * snapshots give the same jobs.
 */
export class WouldBeJobs<Note> {
  private readonly random = xoroshiro128plus(SEED);
  private shapes: JobShape[] = [];
  private open: WouldBeJob<Note>[] = [];
  private seenUntil: EpochSeconds = Number.NEGATIVE_INFINITY;

  /** Thinks of one more; half of its shape is drawn from what was seen, half freely. */
  add(state: Snapshot, noteOf: (job: LaterJob) => Note): void {
    this.seeShapes(state);
    const job = { ...this.drawShape(state.processors), submitAt: state.observedAt + this.drawLead() };
    this.open.push({ ...job, note: noteOf(job), waitedUntil: null });
  }

  /**
   * Looks which would start at a snapshot, later than all before. Returns the waits that have become known.
   * @param letsPast whether the site lets jobs past one that does not fit
   * @param onLook told of every one that is looked at
   */
  follow(state: Snapshot, letsPast: boolean, onLook?: (look: WouldBeLook<Note>) => void): WouldBeWait<Note>[] {
    const pass = new BackfillPass(state, letsPast);
    const known: WouldBeWait<Note>[] = [];
    this.open = this.open.filter((job) => {
      if (job.submitAt > state.observedAt) return true;
      const ahead = job.waitedUntil === null ? state.observedAt : job.submitAt;
      const isOver = pass.wouldStart(job, ahead);
      const waitSeconds = isOver ? this.waitBefore(job, state.observedAt) : state.observedAt - job.submitAt;
      onLook?.(lookAt(job, state.observedAt, isOver));
      job.waitedUntil = state.observedAt;
      if (!isOver && waitSeconds < LONGEST_SECONDS) return true;
      known.push({ note: job.note, waitSeconds, isOver });
      return false;
    });
    return known;
  }

  /** How long those have waited that still do. */
  waits(): WouldBeWait<Note>[] {
    return this.open.flatMap(({ note, submitAt, waitedUntil }) =>
      waitedUntil === null ? [] : [{ note, waitSeconds: waitedUntil - submitAt, isOver: false }],
    );
  }

  /** Forgets those that are open, when nobody watched for too long. */
  forget(): void {
    this.open = [];
  }

  /** Halfway between the last snapshot that did not start it and this one; 0 when the first did. */
  private waitBefore({ submitAt, waitedUntil }: WouldBeJob<Note>, startedBy: EpochSeconds): number {
    return waitedUntil === null ? 0 : (waitedUntil + startedBy) / 2 - submitAt;
  }

  private seeShapes({ observedAt, waiting, running }: Snapshot): void {
    for (const job of [...waiting, ...running]) {
      if (job.submitAt <= this.seenUntil) continue;
      this.shapes.push({ processors: job.processors, walltimeSeconds: plannedWalltimeSeconds(job) });
    }
    this.seenUntil = observedAt;
    if (this.shapes.length > 2 * SHAPES_KEPT) this.shapes = this.shapes.slice(-SHAPES_KEPT);
  }

  private drawShape(machine: number): JobShape {
    const seen = this.shapes[Math.floor(this.uniform() * this.shapes.length)];
    const node = this.shapes.reduce((least, { processors }) => Math.min(least, processors), machine);
    const doublings = this.uniform() * Math.min(MOST_DOUBLINGS, Math.log2(machine / node));
    const drawn = { processors: Math.round(node * 2 ** doublings), walltimeSeconds: this.drawWalltime() };
    const processors = (seen && this.uniform() < SEEN_SIZES ? seen : drawn).processors;
    const walltimeSeconds = (seen && this.uniform() < SEEN_WALLTIMES ? seen : drawn).walltimeSeconds;
    return { processors: Math.max(1, Math.min(machine, processors)), walltimeSeconds };
  }

  private drawWalltime(): number {
    return SHORTEST_WALLTIME_SECONDS * 2 ** (WALLTIME_DOUBLINGS * this.uniform());
  }

  private drawLead(): number {
    const kind = this.uniform();
    if (kind < NOW_SHARE) return 0;
    return this.uniform() * (kind < SOON_SHARE ? SOON_SECONDS : LONGEST_LEAD_SECONDS);
  }

  private uniform(): number {
    return uniformFloat64(this.random);
  }
}

function lookAt<Note>({ note, submitAt, waitedUntil }: WouldBeJob<Note>, at: EpochSeconds, isOver: boolean) {
  return { note, fromSeconds: waitedUntil === null ? null : waitedUntil - submitAt, toSeconds: at - submitAt, isOver };
}

const SEED = 29;
/** Which wait longer are not watched any more. */
const LONGEST_SECONDS = 43_200;
const SHAPES_KEPT = 1000;
/** Up to 64 times the smallest job. */
const MOST_DOUBLINGS = 6;
const SEEN_SIZES = 0.5;
const SEEN_WALLTIMES = 0.25;
const SHORTEST_WALLTIME_SECONDS = 600;
/** Up to ten hours: what is asked for, and six hours of padding. */
const WALLTIME_DOUBLINGS = 5.9;
const NOW_SHARE = 0.15;
const SOON_SHARE = 0.4;
const SOON_SECONDS = 3600;
const LONGEST_LEAD_SECONDS = 23_400;
