import type { WaitForecast, WaitQuery } from '../domain/forecast.ts';
import { type Snapshot, withoutJob } from '../domain/snapshot.ts';
import type { WaitPredictor } from '../predict/predictor.ts';

/** One site at one moment, for one question: what the site says stays the same from the question's first piece to its last. */
export class SiteView {
  /**
   * @param state what the site says with our own jobs that are on their way there, as of its newest snapshot; null when it was
   * never observed
   */
  constructor(
    private readonly predictors: ReadonlyMap<string, WaitPredictor>,
    readonly state: Snapshot | null,
  ) {}

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
    return found.predict(query, state, now);
  }

  predictByAll(query: WaitQuery, now: number): WaitForecast[] {
    return [...this.predictors.values()].map((predictor) => predictor.predict(query, this.state, now));
  }
}
