import type { EndedRecord, StartedRecord, SubmittedJob } from '../../../domain/job.ts';
import type { Snapshot } from '../../../domain/snapshot.ts';
import type { RuntimePredictor, SiteListener } from '../../predictor.ts';
import type { SlotsPredictor } from '../../site-quantity.ts';
import { ExpectedArrivals } from './expected-arrivals.ts';
import { JobRuntimes } from './job-runtimes.ts';

/** In place of the name of a predictor of another quantity. */
export const NOBODY = 'nobody';

/** Predictors of other quantities that a forecast of waits may rest on; it learns for itself what it is not given. */
export interface GivenPredictors {
  readonly runtimes?: RuntimePredictor | null;
  readonly load?: SlotsPredictor | null;
}

/** What others forecast of a site. */
export class SiteOutlook implements SiteListener {
  /** Null where nobody forecasts runtimes. */
  readonly runtimes: JobRuntimes | null;
  /** Null where nobody forecasts arriving load. */
  readonly arrivals: ExpectedArrivals | null;
  /** Higher whenever more is known than before. */
  revision = 0;

  constructor({ runtimes, load }: GivenPredictors = {}) {
    this.runtimes = runtimes ? new JobRuntimes(runtimes) : null;
    this.arrivals = load ? new ExpectedArrivals(load) : null;
  }

  leaveFitsToOthers(): void {
    this.runtimes?.leaveFitsToOthers();
  }

  submitted(job: SubmittedJob, laterSubmissions?: number): void {
    this.revision++;
    this.runtimes?.submitted(job, laterSubmissions);
    this.arrivals?.submitted(job);
  }

  started(record: StartedRecord): void {
    this.revision++;
    this.runtimes?.started(record);
  }

  ended(record: EndedRecord): void {
    this.revision++;
    this.runtimes?.ended(record);
  }

  /** To be told after what happened before it has been looked at. */
  observed(state: Snapshot): void {
    this.revision++;
    this.runtimes?.observed(state);
    this.arrivals?.observed(state);
  }
}
