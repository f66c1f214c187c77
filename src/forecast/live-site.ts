import { DAY_SECONDS, type EpochSeconds } from '../domain/clock.ts';
import { hasStarted, type JobRecord } from '../domain/job.ts';
import type { ComingWork, Snapshot } from '../domain/snapshot.ts';
import type { Checkpoint } from '../predict/checkpoint/checkpoint.ts';
import type { WatchedPastOptions } from '../predict/past/watched-past.ts';
import type { LearnedBy } from './kept-site.ts';
import { knownPast } from './known-past.ts';
import type { Asked, Reading } from './one-state.ts';
import type { SiteModel } from './site-model.ts';
import type { SiteView } from './site-view.ts';
import type { WalltimeShares } from './walltime-use.ts';

/** Something the store has told of a site. */
type News =
  | { readonly kind: 'record'; readonly record: JobRecord }
  | { readonly kind: 'snapshot'; readonly state: Snapshot };

/** What a site's checkpoint says of what it was learned from. */
export interface KeptSite extends LearnedBy {
  /** Up to which records are in it, of which epoch of the site's records. */
  readonly revision: number;
  readonly recordsEpoch: number;
  /** Of the owner that wrote it. */
  readonly epoch: number;
  /** Up to when the past had been lived through, and up to which records. */
  readonly livedUntil: EpochSeconds;
  readonly livedRevision: number;
}

/** What a site does not know of itself when it is kept. */
export type KeptWhen = Pick<KeptSite, 'revision' | 'recordsEpoch' | 'epoch'>;

/**
 * The model of one site that lives on while it is asked. It answers from its first moment by the waits alone. A second
 * model lives through the site's past as if it had watched it, beside the asking, then takes in what happened
 * meanwhile, and takes the first one's place. When enough history arrives meanwhile or afterwards, that is done again.
 */
export class LiveSite implements Asked<SiteView> {
  model: SiteModel;
  private newest: Snapshot | null = null;
  /** Up to when the past has been lived through; null when it has not. */
  private livedUntil: EpochSeconds | null = null;
  /** Which of its records were in that; null as long as it has not been. */
  livedRevision: number | null = null;
  /** How much of this thread's time living through it took. */
  livedSeconds = 0;
  private lateRecords = 0;
  private coming: ComingWork = NOTHING_COMES;
  private ownShares: WalltimeShares | null = null;
  private meanwhile: News[] | null = null;
  private isAbandoned = false;
  /** Whether its models are fitted by its owner, elsewhere. */
  isFittedElsewhere = false;

  constructor(private readonly createModel: () => SiteModel) {
    this.model = createModel();
    if (this.model.watches) this.model.passOverSubmissions();
  }

  /** Whether its past is now known better than it was lived through. */
  get isToLiveThroughPast(): boolean {
    if (!this.model.watches || !this.newest || this.meanwhile) return false;
    return this.livedUntil === null || this.lateRecords >= MANY_LATE_RECORDS;
  }

  /** Whether its past is being lived through or soon will be. */
  get isLearning(): boolean {
    return this.meanwhile !== null || this.isToLiveThroughPast;
  }

  /**
   * Takes over a model that was kept, a few milliseconds at a time. Only for a site that was told nothing.
   * @param giveWay waited for after every few milliseconds
   * @throws CheckpointFault that says why it cannot; it is of no use then
   */
  async restore(checkpoint: Checkpoint<KeptSite>, giveWay: () => Promise<unknown>): Promise<void> {
    const model = this.createModel();
    let turnBeganAt = performance.now();
    for (const _ of model.restore(checkpoint)) {
      if (performance.now() - turnBeganAt < TURN_MILLISECONDS) continue;
      await giveWay();
      turnBeganAt = performance.now();
    }
    this.model = model;
    this.newest = model.newest;
    this.livedUntil = checkpoint.header.about.livedUntil;
    this.livedRevision = checkpoint.header.about.livedRevision;
  }

  /** Goes on with the models that it was restored with, which another one fits. */
  leaveFitsToOthers(): void {
    this.model.leaveFitsToOthers();
    this.isFittedElsewhere = true;
  }

  /** It is to learn for itself again: its past is lived through anew, beside the asking, unless it is already. */
  learnAgain(): void {
    if (!this.meanwhile) this.livedUntil = null;
  }

  /** Moment of the newest snapshot that it was told of; null when there was none. */
  get observedAt(): EpochSeconds | null {
    return this.newest?.observedAt ?? null;
  }

  /** Whether its model is one that others can go on with. */
  get isWhole(): boolean {
    return this.livedUntil !== null && !this.isLearning && !this.isFittedElsewhere;
  }

  /** Its model, to be kept. Only of one that is whole. */
  checkpoint(kept: KeptWhen): Promise<Checkpoint<KeptSite>> {
    const [livedUntil, livedRevision] = [this.livedUntil as EpochSeconds, this.livedRevision as number];
    return this.model.checkpoint({ ...kept, livedUntil, livedRevision });
  }

  /** Nobody will ask it any more: its past need not be lived through to the end. */
  abandon(): void {
    this.isAbandoned = true;
  }

  /** Takes in a record. Of a past that is to be lived through anew nothing more is learned record by record. */
  learn(record: JobRecord): void {
    if (this.isLate(record)) {
      if (hasStarted(record)) this.lateRecords++;
      if (this.lateRecords > MANY_LATE_RECORDS) return;
    }
    this.model.learn(record);
    this.meanwhile?.push({ kind: 'record', record });
  }

  /** Whether it was not missed by accounting's lag but imported. */
  private isLate({ submitAt, startAt, endAt }: JobRecord): boolean {
    return this.livedUntil !== null && (startAt ?? endAt ?? submitAt) < this.livedUntil - LATE_SECONDS;
  }

  observe(state: Snapshot): void {
    this.newest = state;
    this.model.observe(state);
    this.meanwhile?.push({ kind: 'snapshot', state });
  }

  /** Takes in which of our own work is coming to the site, and what our own work uses of its walltimes. */
  expect(coming: ComingWork, ownShares: WalltimeShares | null): void {
    this.coming = coming;
    this.ownShares = ownShares;
  }

  /** Begins a question to the model that it has now. */
  open(): Reading<SiteView> {
    this.model.expect(this.coming.onTheWay, this.ownShares, this.coming.held);
    return this.model.open();
  }

  /**
   * Lives through what is known of the past, a few milliseconds at a time.
   * @param records all of the site that this model was told, in any order, or their reading
   * @param giveWay waited for after every few milliseconds
   * @param revision the newest of those records
   */
  async liveThroughPast(
    records: readonly JobRecord[] | Promise<readonly JobRecord[]>,
    giveWay: () => Promise<unknown>,
    revision = 0,
  ): Promise<void> {
    const now = this.newest as Snapshot;
    const meanwhile: News[] = [];
    this.meanwhile = meanwhile;
    this.livedUntil = now.observedAt;
    this.livedRevision = revision;
    this.lateRecords = 0;
    this.livedSeconds = 0;
    try {
      await this.goOnFrom(knownPast(await records, now), now, meanwhile, giveWay);
    } catch (error) {
      this.livedUntil = null;
      throw error;
    } finally {
      this.meanwhile = null;
    }
  }

  private async goOnFrom(
    past: readonly JobRecord[],
    now: Snapshot,
    meanwhile: readonly News[],
    giveWay: () => Promise<unknown>,
  ): Promise<void> {
    const model = this.createModel();
    const options = {
      processors: now.processors,
      parts: now.parts,
      snapshotSeconds: model.needsPastStates ? SNAPSHOT_SECONDS : Number.POSITIVE_INFINITY,
      fromAt: Math.max(past[0]?.submitAt ?? now.observedAt, now.observedAt - LIVED_THROUGH_SECONDS),
      untilAt: now.observedAt,
    };
    if (await this.isTakenIn(this.taking(model, past, options, now, meanwhile), giveWay)) {
      this.model = model;
      this.isFittedElsewhere = false;
    }
  }

  /** Everything that a new model takes in, piece by piece: the past, then what came meanwhile. */
  private *taking(
    model: SiteModel,
    past: readonly JobRecord[],
    options: WatchedPastOptions,
    now: Snapshot,
    meanwhile: readonly News[],
  ): Generator<unknown> {
    yield* model.liveThrough(past, options);
    model.observe(now);
    for (const news of meanwhile) {
      if (news.kind === 'record') model.learn(news.record);
      else model.observe(news.state);
      yield;
    }
  }

  /** Whether all was taken in; not when the past has become so much longer meanwhile that it begins anew. */
  private async isTakenIn(pieces: Generator<unknown>, giveWay: () => Promise<unknown>): Promise<boolean> {
    let turnBeganAt = performance.now();
    for (const _ of pieces) {
      const passed = performance.now() - turnBeganAt;
      if (passed < TURN_MILLISECONDS) continue;
      this.livedSeconds += passed / 1000;
      await giveWay();
      if (this.isAbandoned || this.lateRecords >= MANY_LATE_RECORDS) return false;
      turnBeganAt = performance.now();
    }
    return true;
  }
}

/** As much as the site's predictors are taught best by; what is older teaches without states. */
const LIVED_THROUGH_SECONDS = 70 * DAY_SECONDS;
const SNAPSHOT_SECONDS = 300;
/** How long others may wait for this thread at a time. */
const TURN_MILLISECONDS = 10;
/** By how much later a start is told that accounting's lag does not explain. */
const LATE_SECONDS = DAY_SECONDS;
const MANY_LATE_RECORDS = 100;
const NOTHING_COMES: ComingWork = { onTheWay: [], held: [] };
