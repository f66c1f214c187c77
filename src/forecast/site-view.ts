import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import { type Snapshot, withoutJob } from '../domain/snapshot.ts';
import type { WaitPredictor } from '../predict/predictor.ts';
import { delayed, type OwnJobsDelay } from '../predict/wait/own-jobs-delay.ts';

/** What a site says with our own jobs that are on their way there, without them, and the delay that they bring. */
export interface SeenWithOwnJobs {
  readonly state: Snapshot;
  readonly without: Snapshot;
  readonly delay: OwnJobsDelay;
}

/** How much of a site's past is known, and what it tells of the walltimes that jobs use. */
export interface KnownPast {
  readonly knownPastSeconds: number;
  readonly walltimeShares: readonly number[];
}

/**
 * One site at one moment, for one question: what the site says stays the same from the question's first piece to its
 * last.
 */
export class SiteView {
  /** What the site says with our own jobs that are on their way there; null when it was never observed. */
  readonly state: Snapshot | null;

  /**
   * @param snapshot the newest of the site; null when it was never observed
   * @param withOwnJobs the same with our own jobs on their way there; null where there are none
   */
  constructor(
    private readonly predictors: ReadonlyMap<string, WaitPredictor>,
    snapshot: Snapshot | null,
    private readonly withOwnJobs: SeenWithOwnJobs | null,
    readonly past: KnownPast,
  ) {
    this.state = withOwnJobs?.state ?? snapshot;
  }

  /** What it says without one of its jobs, or the one on its way under that execution. */
  stateWithout(id: string): Snapshot | null {
    return this.state && withoutJob(this.state, id);
  }

  /**
   * @param state what the site says; all of it unless told
   * @throws RangeError when there is no predictor of that name
   */
  predict(predictor: string, query: WaitQuery, now: number, state = this.state): WaitForecast {
    const found = this.predictors.get(predictor);
    if (!found)
      throw new RangeError(`no wait predictor ${predictor}; there are ${[...this.predictors.keys()].join(', ')}`);
    return this.answer(found, query, state, now);
  }

  predictByAll(query: WaitQuery, now: number): WaitForecast[] {
    return [...this.predictors.values()].map((predictor) => this.answer(predictor, query, this.state, now));
  }

  /** One of many submission times is as the predictor says: what is on its way has come to the queue by then. */
  private answer(predictor: WaitPredictor, query: WaitQuery, state: Snapshot | null, now: number): WaitForecast {
    const said = predictor.predict(query, state, now);
    const own = query.isOneOfMany ? null : this.withOwnJobs;
    const seconds = own?.state === state ? own.delay.secondsFor(query) : 0;
    const forecast = own && seconds > 0 ? delayed(said, predictor.predict(query, own.without, now), seconds) : said;
    return { ...forecast, knownPastSeconds: this.past.knownPastSeconds };
  }
}
