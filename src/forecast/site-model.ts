import type { EpochSeconds } from '../domain/clock.ts';
import { hasStarted, type JobRecord } from '../domain/job.ts';
import { type JobOnTheWay, type Snapshot, withJobsOnTheWay, withoutJobsOnTheWay } from '../domain/snapshot.ts';
import { type WatchedPastOptions, watchPast } from '../predict/past/watched-past.ts';
import type { WaitPredictor } from '../predict/predictor.ts';
import { createWaitPredictor } from '../predict/registry.ts';
import type { SettingsByPredictor } from '../predict/settings.ts';
import { OwnJobsDelay } from '../predict/wait/own-jobs-delay.ts';
import { KnownPastSpan } from './known-past-span.ts';
import { NewsGate } from './news-gate.ts';
import type { Asked, Reading } from './one-state.ts';
import { type SeenWithOwnJobs, SiteView } from './site-view.ts';
import { WalltimeUse } from './walltime-use.ts';

/**
 * Some predictors of one site, fed with its records in the order of their changes. What it is told while questions are under way is
 * taken in when they are answered.
 */
export class SiteModel implements Asked<SiteView> {
  private readonly gate = new NewsGate();
  private readonly predictors: ReadonlyMap<string, WaitPredictor>;
  /** Jobs whose wait was learned while they ran: their end brings the same wait once more. */
  private readonly learnedWhileRunning = new Set<string>();
  private readonly span = new KnownPastSpan();
  private readonly use = new WalltimeUse();
  private snapshot: Snapshot | null = null;
  private onTheWay: readonly JobOnTheWay[] = [];
  /** The snapshot with those jobs, for as long as neither changes: predictors keep what they make of one. */
  private latest: (SeenWithOwnJobs & { readonly of: Snapshot; readonly names: string }) | null = null;
  learnedWaits = 0;

  /** @throws RangeError when there is no predictor of one of the names, or a setting cannot be */
  constructor(predictors: readonly string[], settings: SettingsByPredictor = {}) {
    this.predictors = new Map(predictors.map((name) => [name, createWaitPredictor(name, settings[name])]));
  }

  /** Takes in a new or changed record; a wait is learned once, when it is first known. */
  learn(record: JobRecord): void {
    this.gate.tell(() => this.takeInRecord(record));
  }

  observe(snapshot: Snapshot): void {
    this.gate.tell(() => this.takeInSnapshot(snapshot));
  }

  private takeInRecord(record: JobRecord): void {
    if (!hasStarted(record)) return;
    this.span.add(record.submitAt);
    this.use.add(record);
    const job = `${record.nativeId}@${record.submitAt}`;
    if (record.endAt !== null && this.learnedWhileRunning.delete(job)) return;
    if (record.endAt === null) {
      if (this.learnedWhileRunning.has(job)) return;
      this.learnedWhileRunning.add(job);
    }
    for (const predictor of this.predictors.values()) predictor.learn(record);
    this.learnedWaits++;
  }

  private takeInSnapshot(snapshot: Snapshot): void {
    this.snapshot = snapshot;
    this.span.add(snapshot.observedAt);
    for (const predictor of this.predictors.values()) predictor.observe?.(snapshot);
  }

  /** Whether any predictor learns more of a site when it sees what it looked like. */
  get watches(): boolean {
    return [...this.predictors.values()].some((predictor) => predictor.observe);
  }

  /** Lives through a past as if it had watched; gives its caller a turn after each snapshot. Only for a model that has learned nothing. */
  *liveThrough(past: readonly JobRecord[], options: WatchedPastOptions): Generator<EpochSeconds> {
    for (const sight of watchPast(past, options)) {
      if (sight.kind === 'snapshot') {
        this.observe(sight.state);
        yield sight.at;
      } else if (sight.kind !== 'submit') this.learn(sight.record);
    }
  }

  /** Takes in which of our own jobs are on their way to the site. */
  expect(onTheWay: readonly JobOnTheWay[]): void {
    this.onTheWay = onTheWay;
  }

  /** The site as it is seen now: what it says, and the predictors. */
  view(): SiteView {
    const past = { knownPastSeconds: this.span.seconds, walltimeShares: this.use.shares };
    return new SiteView(this.predictors, this.snapshot, this.withOwnJobs(), past);
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

  private withOwnJobs(): SeenWithOwnJobs | null {
    const of = this.snapshot;
    if (of === null || this.onTheWay.length === 0) return null;
    const names = this.onTheWay.map(({ executionId, key }) => `${executionId} ${key}`).join();
    if (this.latest?.of !== of || this.latest.names !== names) {
      const state = withJobsOnTheWay(of, this.onTheWay);
      const without = withoutJobsOnTheWay(of, this.onTheWay);
      this.latest = { of, names, state, without, delay: new OwnJobsDelay(state, without) };
    }
    return this.latest;
  }
}
