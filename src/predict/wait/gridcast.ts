import type { EpochSeconds } from '../../domain/clock.ts';
import type { WaitForecast, WaitQuery } from '../../domain/forecast.ts';
import type { StartedRecord } from '../../domain/job.ts';
import type { Snapshot } from '../../domain/snapshot.ts';
import type { WaitPredictor } from '../predictor.ts';
import { HeldJobs } from './gridcast/held-jobs.ts';
import { type LaterForecast, LaterForecaster } from './gridcast/later-forecaster.ts';
import { LeadHistories } from './gridcast/lead-histories.ts';
import { SubmissionForecaster } from './gridcast/submission-forecaster.ts';
import { QBETS_DEFAULTS, Qbets, type QbetsParameters } from './qbets.ts';

/** Longest time ahead of the submission at which it counts as made now. */
const NOW_SECONDS = 60;

/**
 * The forecaster that puts together what the others keep apart. A submission now is forecast by boosted trees over everything that is known of
 * the site at its moment: the queue planned forward with requested and with expected runtimes, the ages of the jobs that wait, the latest waits of the
 * user, the queue and jobs of the same shape. Its spread is that of its own recent errors, its levels are corrected online, so
 * that they come true as often as they say.
 *
 * A submission later than a minute ahead finds another state. It, and every one that is compared with such, is forecast by hazards that
 * boosted trees learn from jobs that nobody submitted, as vaguely as the site is fickle, which is what a virtual reservation has to know
 * while it waits. In the first days of a site, and more than seven hours ahead, histories by the class of the job, what the plan of
 * the queue leaves over at its moment, and the lead speak instead. Where they know too little, too, it answers as QBETS does.
 */
export class Gridcast implements WaitPredictor {
  readonly name = 'wait/gridcast';
  readonly version: string;
  private readonly unconditional: Qbets;
  private readonly leads: LeadHistories;
  private readonly submissions = new SubmissionForecaster();
  private readonly later = new LaterForecaster(this.submissions.memory);
  private readonly held = new HeldJobs();

  constructor(parameters: Partial<QbetsParameters> = {}) {
    const settled = { ...QBETS_DEFAULTS, ...parameters };
    this.unconditional = new Qbets(settled);
    this.leads = new LeadHistories(settled);
    this.version = `8 ${this.unconditional.version}`;
  }

  observe(state: Snapshot): void {
    const present = this.held.without(state);
    this.leads.observe(present);
    this.submissions.observe(present);
    this.later.observe(present);
  }

  predict(query: WaitQuery, state: Snapshot | null, now: EpochSeconds): WaitForecast {
    const unconditional = this.unconditional.predict(query, state, now);
    const forecast = { ...unconditional, predictor: this.name, version: this.version };
    if (state === null) return forecast;
    const present = this.held.without(state);
    const isNow = query.submitAt - now <= NOW_SECONDS && !query.isOneOfMany;
    const said = isNow ? this.sayNow(query, present) : this.later.predict(query, present, now);
    if (said) return { ...forecast, ...said };
    const history = this.leads.historyFor(query, present, now);
    if (!history) return forecast;
    return {
      ...forecast,
      sampleSize: history.size,
      pointSeconds: history.medianSeconds(),
      quantileSeconds: history.percentileBounds(),
    };
  }

  learn(record: StartedRecord): void {
    this.unconditional.learn(record);
    this.leads.learn(record);
    this.submissions.learn(record);
    this.held.learn(record);
  }

  private sayNow(query: WaitQuery, state: Snapshot): LaterForecast | null {
    const job = { ...query, requestedWalltimeSeconds: query.walltimeSeconds > 0 ? query.walltimeSeconds : null };
    const said = this.submissions.predict(job, query.submitAt, state);
    return said && { ...said, quantileSeconds: Array.from(said.quantileSeconds) };
  }
}
