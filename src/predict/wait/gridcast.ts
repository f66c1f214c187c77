import type { EpochSeconds } from '../../domain/clock.ts';
import { QUANTILE_COUNT, type WaitForecast, type WaitQuery, withinPercentiles } from '../../domain/forecast.ts';
import type { EndedRecord, StartedRecord, SubmittedJob } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { WaitPredictor } from '../predictor.ts';
import { SiteRange } from '../range/site-range.ts';
import { Backlog } from './gridcast/backlog.ts';
import { JobsOnHold } from './gridcast/jobs-on-hold.ts';
import { type LaterForecast, LaterForecaster, type Otherwise } from './gridcast/later-forecaster.ts';
import { LeadHistories } from './gridcast/lead-histories.ts';
import { MachineForecasters } from './gridcast/machine-forecasters.ts';
import { PresentWaits } from './gridcast/present-waits.ts';
import { NOBODY, SiteOutlook } from './gridcast/site-outlook.ts';
import { SubmissionForecaster } from './gridcast/submission-forecaster.ts';
import { QBETS_DEFAULTS, Qbets, type QbetsParameters } from './qbets.ts';

/** Longest time ahead of the submission at which it counts as made now. */
const NOW_SECONDS = 60;
/** So much of the work ahead is waited for at most: the rest runs in gaps beside it. Found on generated sites. */
const MOST_WAITED_FOR = 0.8;
/** Index of the percentile 50. */
const MEDIAN = 49;

/** How far a site, or a machine of it, has left its known range; null for not. */
type Outside = NonNullable<WaitForecast['outsideKnownRange']> | null;

export interface GridcastParameters extends QbetsParameters {
  /**
   * Whether promises are corrected by how submissions of the last hours would have come out, or rest on what was
   * learned alone.
   */
  readonly heeds: (typeof HEEDS)[number];
  /** The runtime predictor it is given, by its name; with `nobody` it learns from snapshots how long jobs run. */
  readonly runtimes: string;
  /** The load predictor it is given, by its name; `nobody` for none. */
  readonly load: string;
}

export const HEEDS = ['present', 'past'] as const;

export const GRIDCAST_DEFAULTS: GridcastParameters = {
  ...QBETS_DEFAULTS,
  heeds: 'present',
  runtimes: NOBODY,
  load: NOBODY,
};

/**
 * The forecaster that puts together what the others keep apart. A submission now is forecast by boosted trees over
 * everything that is known of the site at its moment: the queue planned forward with requested and with expected
 * runtimes, the ages of the jobs that wait, the latest waits of the user, the queue and jobs of the same shape. Its
 * spread is that of its own recent errors, its levels are corrected online, so that they come true as often as they
 * say.
 *
 * A submission later than a minute ahead finds another state. It, and every one that is compared with such, is forecast
 * by hazards that boosted trees learn from jobs that nobody submitted, as vaguely as the site is fickle, which is what
 * a virtual reservation has to know while it waits. In the first days of a site, and more than seven hours ahead,
 * histories by the class of the job, what the plan of the queue leaves over at its moment, and the lead speak instead.
 * Where they know too little, too, it answers as QBETS does.
 *
 * Where a site tells its nodes and has GPUs, or tells the memory of its jobs, queues with nodes of their own and GPUs
 * are forecast as the machines that they are, and the trees know what there is of each.
 */
export class Gridcast implements WaitPredictor {
  readonly name = 'wait/gridcast';
  readonly version: string;
  private readonly unconditional: Qbets;
  private readonly leads: LeadHistories;
  private readonly submissions: SubmissionForecaster;
  private readonly later: LaterForecaster;
  private readonly machines: MachineForecasters;
  private readonly heeds: GridcastParameters['heeds'];
  private readonly onHold = new JobsOnHold();
  private readonly present = new PresentWaits();
  private readonly backlog = new Backlog();
  private readonly range = new SiteRange();

  /** @param outlook of the predictors that the parameters name */
  constructor(
    parameters: Partial<GridcastParameters> = {},
    private readonly outlook: SiteOutlook = new SiteOutlook(),
  ) {
    const settled = { ...GRIDCAST_DEFAULTS, ...parameters };
    this.submissions = new SubmissionForecaster(outlook);
    this.unconditional = new Qbets(settled);
    this.leads = new LeadHistories(settled);
    this.heeds = settled.heeds;
    const heedsPace = () => settled.heeds === 'present' && this.range.isUnfamiliar;
    this.later = new LaterForecaster(this.submissions.memory, { heedsPace, otherwise: this.sayOfWouldBe });
    this.machines = new MachineForecasters(this.submissions.memory, settled.heeds === 'present');
    const given = [settled.runtimes, settled.load].filter((name) => name !== NOBODY).map((name) => `${name} `);
    this.version = `21 ${given.join('')}${this.unconditional.version}`;
  }

  observed(state: Snapshot): void {
    const present = this.onHold.observed(state);
    this.leads.observe(state, present);
    this.submissions.observe(present);
    this.outlook.observed(present);
    this.later.observe(present, this.outside !== null);
    this.machines.observe(present);
    this.range.observe(present, this.later.pace.lateness);
  }

  featureNames(): readonly string[] {
    return [...this.submissions.featureNames(), ...this.later.featureNames()];
  }

  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const forecast = this.say(query, state, now);
    return { ...forecast, pointSeconds: withinPercentiles(forecast.pointSeconds, forecast.quantileSeconds) };
  }

  private say(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const unconditional = this.unconditional.predict(query, state, now);
    const present = state && this.onHold.without(state);
    const outsideKnownRange = present ? this.outsideFor(query, present) : this.outside;
    const forecast = { ...unconditional, predictor: this.name, version: this.version, outsideKnownRange };
    if (present === null) return forecast;
    const isNow = query.submitAt - now <= NOW_SECONDS && !query.isOneOfMany;
    const said = isNow ? this.sayNow(query, present) : this.sayLater(query, present, now);
    if (said) return { ...forecast, ...said };
    const byHistory = this.heedQueue({ ...forecast, ...this.sayByHistory(query, present, now) }, query, present);
    return isNow ? byHistory : { ...byHistory, ...this.heedPresent(byHistory.quantileSeconds) };
  }

  leaveFitsToOthers(): void {
    this.outlook.leaveFitsToOthers();
    this.submissions.leaveFitsToOthers();
    this.later.leaveFitsToOthers();
    this.machines.leaveFitsToOthers();
  }

  submitted(job: SubmittedJob, laterSubmissions?: number): void {
    this.outlook.submitted(job, laterSubmissions);
    this.later.remembered();
    this.machines.remembered();
    this.backlog.submitted(job);
  }

  started(record: StartedRecord): void {
    this.outlook.started(record);
    this.unconditional.started(record);
    this.leads.learn(record);
    this.submissions.learn(record);
    this.later.remembered();
    this.machines.remembered();
    this.onHold.learn(record);
    this.present.learn(record);
  }

  ended(record: EndedRecord): void {
    this.outlook.ended(record);
    this.backlog.ended(record);
    this.submissions.learnEnd(record);
  }

  /**
   * In a site's first days, before more is learned, nothing is forecast sooner at any level than jobs as large wait
   * there at present, nor than the work ahead lets through: a job may be let past any part of it, each as likely.
   */
  private heedQueue(forecast: WaitForecast, { processors, submitAt }: WaitQuery, state: Snapshot): WaitForecast {
    if (this.later.isFitted || state.waiting.length === 0) return forecast;
    const presentSeconds = this.present.percentiles(state, processors);
    const aheadSeconds = MOST_WAITED_FOR * this.backlog.seconds(state, submitAt);
    const quantileSeconds = forecast.quantileSeconds.map((seconds, i) =>
      Math.max(seconds, presentSeconds[i] as number, ((i + 1) / (QUANTILE_COUNT + 1)) * aheadSeconds),
    );
    return { ...forecast, quantileSeconds };
  }

  private get outside(): Outside {
    return this.heeds === 'present' ? this.range.outside : null;
  }

  /** Of the machine that a job competes for; of all of the site where that is one. */
  private outsideFor(query: WaitQuery, state: Snapshot): Outside {
    const own = this.heeds === 'present' ? this.machines.of(query, state) : null;
    return own ? own.range.outside : this.outside;
  }

  /**
   * What a history says, which knows nothing of the last hours, at the pace of the last hours: never sooner than it
   * says.
   */
  private heedPresent(bySeconds: readonly number[]): Partial<LaterForecast> {
    if (this.outside === null) return {};
    const corrected = this.later.pace.corrected(bySeconds);
    const quantileSeconds = bySeconds.map((seconds, i) => Math.max(seconds, corrected[i] as number));
    return { quantileSeconds, pointSeconds: quantileSeconds[MEDIAN] as number };
  }

  /** Of jobs that nobody submits, while nothing better can be said of them. */
  private readonly sayOfWouldBe: Otherwise = ({ processors, walltimeSeconds, submitAt }, state) => {
    const query = { queue: null, user: null, processors, requestedWalltimeSeconds: walltimeSeconds, submitAt };
    const said = this.sayByHistory(query, state, state.observedAt);
    return said?.quantileSeconds ?? this.unconditional.predict(query, state, state.observedAt).quantileSeconds;
  };

  private sayByHistory(query: WaitQuery, state: Snapshot, now: EpochSeconds): LaterForecast | null {
    const history = this.leads.historyFor(query, state, now);
    return history
      ? {
          sampleSize: history.size,
          pointSeconds: history.medianSeconds(),
          quantileSeconds: history.percentileBounds(),
        }
      : null;
  }

  /** By the machine that it competes for, once enough has been seen of that. */
  private sayLater(query: WaitQuery, state: Snapshot, now: EpochSeconds): LaterForecast | null {
    const own = this.machines.of(query, state);
    const said = own?.forecaster.predict(own.job, own.state, now) ?? null;
    return said ?? this.later.predict(query, state, now);
  }

  private sayNow(query: WaitQuery, state: Snapshot): LaterForecast | null {
    const said = this.submissions.predict(query, query.submitAt, state);
    return said && { ...said, quantileSeconds: Array.from(said.quantileSeconds) };
  }
}
