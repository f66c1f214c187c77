import type { JobRecord } from '../domain/job.ts';
import type { HeldExecution, JobOnTheWay, Snapshot } from '../domain/snapshot.ts';
import type { Checkpoint } from '../predict/checkpoint/checkpoint.ts';
import type { WatchedPastOptions } from '../predict/past/watched-past.ts';
import type { SettingsByPredictor } from '../predict/settings.ts';
import { FollowedQuantities } from './followed-quantities.ts';
import type { FollowedPredictors } from './followed-quantity.ts';
import { keepLearned, type LearnedBy, restoreLearned } from './kept-site.ts';
import { NewsGate } from './news-gate.ts';
import type { Asked, Reading } from './one-state.ts';
import { OwnJobsOnTheWay } from './own-jobs-on-the-way.ts';
import { SaidThisSecond } from './said-this-second.ts';
import { SiteKnowledge } from './site-knowledge.ts';
import { SiteTeller } from './site-teller.ts';
import { type KnownPast, SiteView } from './site-view.ts';

/**
 * Predictors of every quantity of one site, fed with its records in the order of their changes. What it is told while
 * questions are under way is taken in when they are answered.
 */
export class SiteModel implements Asked<SiteView> {
  private readonly gate = new NewsGate();
  private readonly quantities: FollowedQuantities;
  private readonly past = new SiteKnowledge();
  private readonly teller: SiteTeller;
  private snapshot: Snapshot | null = null;
  private readonly onTheWay = new OwnJobsOnTheWay();
  private held: readonly HeldExecution[] = [];
  private ownShares: KnownPast['walltimeShares'] | null = null;
  private said = new SaidThisSecond();

  /** @throws RangeError when there is no predictor of one of the names, or a setting cannot be */
  constructor(followed: FollowedPredictors, settings: SettingsByPredictor = {}) {
    this.quantities = new FollowedQuantities(followed, settings);
    this.teller = new SiteTeller([...this.quantities.predictors, this.past]);
  }

  /** The newest snapshot that it was told of. */
  get newest(): Snapshot | null {
    return this.snapshot;
  }

  get learnedWaits(): number {
    return this.past.knownWaits;
  }

  /** Takes in a new or changed record. */
  learn(record: JobRecord): void {
    this.takeIn(() => this.teller.learn(record));
  }

  observe(snapshot: Snapshot): void {
    this.takeIn(() => this.takeInSnapshot(snapshot));
  }

  private takeIn(news: () => void): void {
    this.gate.tell(() => {
      this.said = new SaidThisSecond();
      news();
    });
  }

  private takeInSnapshot(snapshot: Snapshot): void {
    this.snapshot = snapshot;
    this.teller.observed(snapshot);
  }

  /**
   * From now on nobody is told of submissions: for a model that answers only until another has lived through the past.
   * They would come out of order, and are what costs most to learn.
   */
  passOverSubmissions(): void {
    this.teller.tellsSubmissions = false;
  }

  /** Follows the site from now on with models that another one fits; it cannot be kept then. */
  leaveFitsToOthers(): void {
    for (const predictor of this.quantities.predictors) predictor.leaveFitsToOthers?.();
  }

  /** Whether any predictor learns more of a site when it sees what it looked like. */
  get watches(): boolean {
    return this.quantities.predictors.some((predictor) => predictor.observed);
  }

  /** Whether any of them has to see what the past looked like; the records alone teach the others as well. */
  get needsPastStates(): boolean {
    return this.quantities.predictors.some(({ observed, needsPastStates }) => observed && needsPastStates !== false);
  }

  /**
   * Lives through a past as if it had watched; gives its caller a turn after each sight. Only for a model that has
   * learned nothing.
   */
  *liveThrough(past: readonly JobRecord[], options: WatchedPastOptions): Generator<number> {
    for (const sight of this.teller.liveThrough(past, options)) {
      if (sight.kind === 'snapshot') this.snapshot = sight.state;
      yield sight.at;
    }
  }

  /**
   * Writes what it has learned by now, once the questions that are under way are over.
   * @param about of what it was learned
   */
  checkpoint<About>(about: About): Promise<Checkpoint<About & LearnedBy>> {
    return keepLearned(this.gate, () => this.learned, { ...about, models: this.quantities.models });
  }

  /**
   * Takes over what was written, in steps. Only for a model that has learned nothing.
   * @throws CheckpointFault that says why it cannot; the model is of no use then
   */
  *restore(checkpoint: Checkpoint<LearnedBy>): Generator<undefined, void, undefined> {
    const { snapshot } = yield* restoreLearned(checkpoint, this.learned, this.quantities.models);
    this.snapshot = snapshot;
  }

  /**
   * All that it has learned. In one, so that what predictors know of the same state or job is the same object
   * afterwards, too.
   */
  get learned(): { readonly teller: SiteTeller; readonly snapshot: Snapshot | null } {
    return { teller: this.teller, snapshot: this.snapshot };
  }

  /**
   * Takes in which of our own jobs are on their way to the site.
   * @param ownShares what our own work uses of its walltimes, wherever it runs; supposed unless told
   * @param held our own work that is held back for it; none unless told
   */
  expect(
    onTheWay: readonly JobOnTheWay[],
    ownShares: KnownPast['walltimeShares'] | null = null,
    held: readonly HeldExecution[] = [],
  ): void {
    this.held = held;
    if (this.onTheWay.expect(onTheWay)) this.said = new SaidThisSecond();
    this.ownShares = ownShares;
  }

  /** The site as it is seen now: what it says, and the predictors. */
  view(): SiteView {
    const past = this.past.forOwnJobs(this.ownShares);
    const seen = this.onTheWay.seenIn(this.snapshot);
    return new SiteView(this.quantities, this.snapshot, seen, past, this.said, this.held);
  }

  open(): Reading<SiteView> {
    const question = this.gate.begin();
    return {
      view: this.view(),
      get isOutdated() {
        return question.isOutdated;
      },
      close: () => this.gate.end(question),
    };
  }
}
