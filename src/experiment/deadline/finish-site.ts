import type { EpochSeconds } from '../../domain/clock.ts';
import { isWithheld } from '../../domain/known-range.ts';
import { type FinishForecast, finishForecast } from '../../plan/job/finish.ts';
import { tell } from '../../predict/past/tell.ts';
import type { RuntimePredictor, SiteListener, WaitPredictor } from '../../predict/predictor.ts';
import type { JobCard } from '../../sim/job-source.ts';
import type { SimulatedJob } from '../../sim/job-table.ts';
import type { ReplayedSite } from '../../sim/replayed-site.ts';
import type { Workload } from '../../sim/workload.ts';
import { watchedLog } from '../varq/watched-log.ts';
import type { FinishedJob } from './deadline-tally.ts';

/** What forecasts the finish of a site's jobs. */
export interface FinishPredictors {
  readonly wait: WaitPredictor;
  readonly runtime: RuntimePredictor;
}

/** A log replayed under EASY as a site whose waits and runtimes are forecast, to which some jobs are handed by us. */
export class FinishSite {
  private readonly site: ReplayedSite;

  /** @param left jobs of the log that are not handed in as they were */
  constructor(
    workload: Workload,
    private readonly processors: number,
    private readonly predictors: FinishPredictors,
    snapshotSeconds: number,
    left: ReadonlySet<number>,
  ) {
    const listener = both(predictors);
    this.site = watchedLog(workload, processors, listener, snapshotSeconds, { left, showsOwners: true });
  }

  /** Lets the log happen up to and including `at`; all of it when that is infinite. */
  advanceTo(at: EpochSeconds): void {
    this.site.advanceTo(at);
  }

  /**
   * The finish of a job that is handed in now; null where the site has left the range that it is known in too lately.
   */
  finishOf({ processors, walltimeSeconds }: SimulatedJob, { user, queue }: JobCard): FinishForecast | null {
    const { now, latest } = this.site;
    const request = { user, queue, processors, requestedWalltimeSeconds: walltimeSeconds };
    const wait = this.predictors.wait.predict({ ...request, submitAt: now }, latest, now);
    if (isWithheld(wait.outsideKnownRange)) return null;
    const runtime = this.predictors.runtime.predict(request, latest, now);
    return finishForecast({
      submitAt: now,
      waitQuantileSeconds: wait.quantileSeconds,
      runtimeQuantileSeconds: runtime.quantileSeconds,
      walltimeSeconds,
    });
  }

  /** Hands a job in now. Returns its number. */
  submit(job: SimulatedJob, card: JobCard): number {
    return this.site.submit({ ...job, submitAt: this.site.now }, card);
  }

  /** What became of a job; null while it has not ended. */
  ended(number: number, { processors, walltimeSeconds }: SimulatedJob): FinishedJob | null {
    const { state, startAt, endAt } = this.site.seen(number);
    if (state !== 'ENDED' || startAt === null) return null;
    return {
      processors: Math.min(processors, this.processors),
      startAt,
      endAt,
      isKilled: endAt - startAt >= walltimeSeconds,
    };
  }
}

function both({ wait, runtime }: FinishPredictors): SiteListener {
  return {
    submitted(submission) {
      for (const one of [wait, runtime]) tell(one, { kind: 'submit', submission });
    },
    started(record) {
      for (const one of [wait, runtime]) tell(one, { kind: 'start', record });
    },
    ended(record) {
      for (const one of [wait, runtime]) tell(one, { kind: 'end', record });
    },
    observed(state) {
      for (const one of [wait, runtime]) tell(one, { kind: 'snapshot', state });
    },
  };
}
