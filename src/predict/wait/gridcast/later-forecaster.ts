import { type EpochSeconds, WEEK_SECONDS } from '../../../domain/clock.ts';
import type { WaitForecast, WaitQuery } from '../../../domain/forecast.ts';
import { plannedWalltimeSeconds } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import { type Look, RecentPace } from '../../range/recent-pace.ts';
import { MadeOfState } from '../made-of-state.ts';
import { planLoad, type SiteLoad } from '../site-load.ts';
import type { HazardExample, LaterFeatureRow } from './hazard-trees.ts';
import { LaterFeatures, type LaterJob } from './later-features.ts';
import { QueueOrder } from './queue-order.ts';
import type { SiteMemory } from './site-memory.ts';
import { SitePast } from './site-past.ts';
import { WAIT_HAZARD_DEFAULTS, WaitHazards } from './wait-hazards.ts';
import { WouldBeJobs, type WouldBeWait } from './would-be-jobs.ts';

/** What is said of a submission: percentiles 1..99 of its wait, their median, and how many known waits they rest on. */
export type LaterForecast = Pick<WaitForecast, 'pointSeconds' | 'quantileSeconds' | 'sampleSize'>;

/** What is kept of a job that nobody submits. */
interface WouldBeNote {
  readonly features: LaterFeatureRow;
  /** As it was forecast when it was thought of; null when nothing could be said. */
  readonly quantileSeconds: readonly number[] | null;
}

/** Percentiles 1..99 of the wait of a job, by somebody else; null when nothing can be said. */
export type Otherwise = (job: LaterJob, state: Snapshot) => readonly number[] | null;

export interface LaterForecasterOptions {
  /** Whether forecasts are made at the pace of the last hours now; so unless told. */
  readonly heedsPace?: () => boolean;
  /** Who forecasts until there is enough to learn from; nobody unless told. */
  readonly otherwise?: Otherwise;
}

/** What is made of one state: numbers for any job, and the forecasts that were asked for. */
interface SiteView {
  readonly features: LaterFeatures;
  readonly forecasts: Map<number, LaterForecast>;
}

/**
 * Forecasts submissions that are made now or within some hours alike, for every shape of job, from what the site looks
 * like now. It learns from jobs that nobody submits: at each snapshot it thinks of one, notes what is known, and
 * watches when it would have started.
 *
 * Forecasts are made for some leads and walltimes and stand for those near them, so that a whole trajectory costs a few
 * milliseconds. `observe` is O(jobs thought of x jobs at the site); the model is fitted anew after every three
 * thousand, a little with each snapshot.
 */
export class LaterForecaster {
  private readonly past = new SitePast();
  private readonly wouldBe = new WouldBeJobs<WouldBeNote>();
  private readonly order = new QueueOrder();
  private readonly model = new WaitHazards(WAIT_HAZARD_DEFAULTS);
  /** The newest state, when it was learned from, as it was known then. */
  private newest: { readonly state: Snapshot; readonly view: SiteView } | null = null;
  /** Any other, as it is known now. */
  private readonly others = new MadeOfState((state) => this.viewOf(state, planLoad(state)));
  private learnedAt: EpochSeconds = Number.NEGATIVE_INFINITY;
  /** Since when no state has had a job; null while the newest has one. */
  private emptySince: EpochSeconds | null = null;

  /** At what pace the site starts jobs now, against what was forecast of them. */
  readonly pace = new RecentPace();

  private readonly heedsPace: () => boolean;
  private readonly otherwise: Otherwise;

  /** @param memory of the same site, taught by others */
  constructor(
    private readonly memory: SiteMemory,
    { heedsPace = () => true, otherwise = () => null }: LaterForecasterOptions = {},
  ) {
    this.heedsPace = heedsPace;
    this.otherwise = otherwise;
  }

  /** Its model is fitted by somebody else from now on. */
  leaveFitsToOthers(): void {
    this.model.leaveToOthers();
  }

  /**
   * Takes in what the site says at one moment; what comes sooner than five minutes after the last is left out, and what
   * comes after a week without a job is not learned from.
   * @param isOutside whether the site has left the range it is known in, so that there is much to be learned
   */
  observe(state: Snapshot, isOutside = false): void {
    this.newest = null;
    this.others.forget();
    const passedSeconds = state.observedAt - this.learnedAt;
    if (passedSeconds < LEAST_APART_SECONDS) return;
    const load = planLoad(state);
    this.past.observe(state, load);
    if (this.hasLongBeenEmpty(state)) return;
    if (passedSeconds > FRESH_SECONDS) this.wouldBe.forget();
    this.learnedAt = state.observedAt;
    const view = this.viewOf(state, load);
    const jobs = this.model.isFitted ? 1 : JOBS_AT_FIRST;
    for (let i = 0; i < jobs; i++) this.wouldBe.add(state, (job) => this.noteOf(job, view.features));
    const looks: Look[] = [];
    this.order.observe(state);
    const known = this.wouldBe.follow(state, this.order.letsPast, ({ note: { quantileSeconds }, ...look }) => {
      if (quantileSeconds) looks.push({ ...look, quantileSeconds });
    });
    for (const wait of known) this.model.learn(exampleOf(wait));
    this.pace.learn(state.observedAt, looks);
    if (this.model.isDueAfter(isOutside ? HURRIED_EXAMPLES : undefined))
      this.model.beginFit(this.wouldBe.waits().map(exampleOf));
    this.model.continueFit();
    this.newest = { state, view };
  }

  /** To be called when the memory has learned a wait. */
  remembered(): void {
    this.others.forget();
  }

  /**
   * Null while too little has been seen, for a state that is not fresh, and for submissions farther ahead than are
   * learned from.
   */
  predict(query: WaitQuery, state: Snapshot, now: EpochSeconds): LaterForecast | null {
    const leadSeconds = Math.max(0, query.submitAt - now);
    if (!this.model.isFitted || leadSeconds > LONGEST_LEAD_SECONDS || now - state.observedAt > FRESH_SECONDS)
      return null;
    const { features, forecasts } = this.newest?.state === state ? this.newest.view : this.others.of(state);
    const lead = LEADS_SECONDS.findLastIndex((from) => from <= leadSeconds);
    const walltime = Math.round(
      Math.log(Math.max(SHORTEST_WALLTIME_SECONDS, plannedWalltimeSeconds(query))) / WALLTIME_STEP,
    );
    const key = (query.processors * MOST_WALLTIMES + walltime) * LEADS_SECONDS.length + lead;
    let forecast = forecasts.get(key);
    if (!forecast) {
      const submitAt = state.observedAt + (LEADS_SECONDS[lead] as number);
      const job = { processors: query.processors, walltimeSeconds: Math.exp(walltime * WALLTIME_STEP), submitAt };
      forecast = this.forecastOf(features.of(job));
      forecasts.set(key, forecast);
    }
    return forecast;
  }

  /** Names of the features that it learns from, in their order. */
  featureNames(): string[] {
    const features = new LaterFeatures(NO_STATE, planLoad(NO_STATE), this.memory, this.past);
    const ofJob = features.jobFeatures({ processors: 1, walltimeSeconds: 1, submitAt: 0 });
    return [...Object.keys(ofJob), ...Object.keys(features.siteFeatures())];
  }

  /** Whether enough has been seen to forecast anything. */
  get isFitted(): boolean {
    return this.model.isFitted;
  }

  /** Of an empty site a week tells all, and more of it would drive out what is known of a busy one. */
  private hasLongBeenEmpty({ observedAt, running, waiting }: Snapshot): boolean {
    if (running.length + waiting.length > 0) this.emptySince = null;
    else this.emptySince ??= observedAt;
    return this.emptySince !== null && observedAt - this.emptySince > WEEK_SECONDS;
  }

  private noteOf(job: LaterJob, of: LaterFeatures): WouldBeNote {
    const features = of.of(job);
    const quantileSeconds = this.model.isFitted ? this.model.percentiles(features) : this.otherwise(job, of.state);
    return { features, quantileSeconds };
  }

  private forecastOf(features: LaterFeatureRow): LaterForecast {
    const learned = this.model.percentiles(features);
    const quantileSeconds = this.heedsPace() ? this.pace.corrected(learned) : learned;
    return { pointSeconds: quantileSeconds[MEDIAN] as number, quantileSeconds, sampleSize: this.model.size };
  }

  private viewOf(state: Snapshot, load: SiteLoad): SiteView {
    return { features: new LaterFeatures(state, load, this.memory, this.past), forecasts: new Map() };
  }
}

function exampleOf({ note, waitSeconds, isOver }: WouldBeWait<WouldBeNote>): HazardExample {
  return { features: note.features, waitSeconds, isOver };
}

const NO_STATE: Snapshot = { observedAt: 0, processors: 1, freeProcessors: 1, waiting: [], running: [] };
const LEAST_APART_SECONDS = 250;
/** Would-be jobs of a snapshot until there is a model, which so takes a day and a half; then one. */
const JOBS_AT_FIRST = 4;
/** A day of them, after which the model is fitted anew when the site has left its known range. */
const HURRIED_EXAMPLES = 288;
/** Older snapshots say little of a submission. */
const FRESH_SECONDS = 1800;
/** As far as would-be jobs are thought of, and half a lead more. */
const LONGEST_LEAD_SECONDS = 25_200;
/** Leads that stand for those up to the next: every five minutes at first, every half an hour in the end. */
const LEADS_SECONDS = [
  ...[0, 60, 300, 600, 900, 1200, 1500, 1800, 2400, 3000],
  ...Array.from({ length: 8 }, (_, i) => 3600 + 900 * i),
  ...Array.from({ length: 8 }, (_, i) => 10_800 + 1800 * i),
];
/** Walltimes that are forecast, in steps of a logarithm. */
const WALLTIME_STEP = 0.25;
const SHORTEST_WALLTIME_SECONDS = 60;
const MOST_WALLTIMES = 1000;
/** Index of the percentile 50. */
const MEDIAN = 49;
