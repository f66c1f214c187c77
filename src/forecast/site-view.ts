import type { QuantityForecast, SlotsForecast, WaitForecast, WaitQuery } from '../domain/forecast.ts';
import type { Submission } from '../domain/job.ts';
import { type HeldExecution, type Snapshot, withoutJob } from '../domain/snapshot.ts';
import type { WaitPredictor } from '../predict/predictor.ts';
import { keptWait, RUNTIME, restsOnSomething } from '../predict/quantities.ts';
import type { SlotsQuery } from '../predict/site-quantity.ts';
import { HeldWorkDelay } from '../predict/wait/held-work-delay.ts';
import { delayed, type OwnJobsDelay } from '../predict/wait/own-jobs-delay.ts';
import type { FollowedQuantities } from './followed-quantities.ts';
import { SaidThisSecond } from './said-this-second.ts';

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
  /** From which bandwidth on its IO is a burst; null where none of its jobs told what it reads or writes. */
  readonly burstBytesPerSecond: number | null;
  /** How many waits are known of each queue. */
  readonly knownWaitsByQueue: ReadonlyMap<string, number>;
}

/**
 * One site at one moment, for one question: what the site says stays the same from the question's first piece to its
 * last.
 */
export class SiteView {
  /** What the site says with our own jobs that are on their way there; null when it was never observed. */
  readonly state: Snapshot | null;

  /**
   * @param quantities everything that is followed
   * @param snapshot the newest of the site; null when it was never observed
   * @param withOwnJobs the same with our own jobs on their way there; null where there are none
   * @param said what was said of the site as it is seen here
   * @param held our own work that is held back for it
   */
  constructor(
    private readonly quantities: Pick<FollowedQuantities, 'waits' | 'others' | 'ofSite'>,
    snapshot: Snapshot | null,
    private readonly withOwnJobs: SeenWithOwnJobs | null,
    readonly past: KnownPast,
    private readonly said = new SaidThisSecond(),
    private readonly held: readonly HeldExecution[] = [],
  ) {
    this.state = withOwnJobs?.state ?? snapshot;
  }

  /** What it says without one of its jobs, or the one on its way under that execution. */
  stateWithout(id: string): Snapshot | null {
    return this.state && withoutJob(this.state, id);
  }

  /** By how much all our own work that is held back delays what is asked for; null where nothing is held back. */
  delayByHeld(): HeldWorkDelay | null {
    return this.state && this.held.length > 0 ? new HeldWorkDelay(this.state, this.held) : null;
  }

  /**
   * By how much what was asked for before delays work that is held back itself; null where nothing does.
   * @param state what the site says without that work
   */
  delayByEarlier(executionId: string, state: Snapshot | null): HeldWorkDelay | null {
    const own = this.held.find((one) => one.executionId === executionId);
    const earlier = own ? this.held.filter(({ createdAt }) => createdAt < own.createdAt) : [];
    return state && earlier.length > 0 ? new HeldWorkDelay(state, earlier) : null;
  }

  /**
   * @param state what the site says; all of it unless told
   * @throws RangeError when there is no predictor of that name
   */
  predict(predictor: string, query: WaitQuery, now: number, state = this.state): WaitForecast {
    const { predictors } = this.quantities.waits;
    const found = predictors.get(predictor);
    if (!found) throw new RangeError(`no wait predictor ${predictor}; there are ${[...predictors.keys()].join(', ')}`);
    return state === this.state && !query.isOneOfMany
      ? this.answerNow(found, query, now)
      : this.answer(found, query, state, now);
  }

  /** What every predictor of every quantity says, in each quantity the one that decides first. */
  predictByAll(query: WaitQuery, now: number): QuantityForecast[] {
    const waits = Array.from(this.quantities.waits.predictors.values(), (predictor) =>
      keptWait(this.answerNow(predictor, query, now)),
    );
    return [...waits, ...this.predictOthers(query, now)];
  }

  /** The same of everything but the wait: of what not every site tells, only what rests on something. */
  predictOthers(job: Submission, now: number): QuantityForecast[] {
    const said = this.quantities.others.flatMap((quantity) =>
      this.said.of(`all of ${quantity.name}`, job, now, (asked, at) => quantity.byAll(asked, this.state, at)),
    );
    return said.filter((one) => one.quantity === RUNTIME.name || restsOnSomething(one));
  }

  /**
   * What the predictor that decides says of a quantity other than the wait.
   * @throws RangeError when that is not followed
   */
  predictOther(quantity: string, job: Submission, now: number): QuantityForecast {
    const followed = this.quantities.others.find(({ name }) => name === quantity);
    const [found] = this.said.of(quantity, job, now, (asked, at) => {
      const one = followed?.byDeciding(asked, this.state, at);
      return one ? [one] : [];
    });
    if (found) return found;
    throw new RangeError(
      `no quantity ${quantity}; there are ${this.quantities.others.map(({ name }) => name).join(', ')}`,
    );
  }

  /**
   * What every predictor of a quantity of the site itself says of the coming slots, the one that decides first.
   * @throws RangeError when that is not followed
   */
  predictSlots(quantity: string, query: SlotsQuery, now: number): SlotsForecast[] {
    const { ofSite } = this.quantities;
    const followed = ofSite.find(({ name }) => name === quantity);
    if (followed) return followed.byAll(query, this.state, now);
    throw new RangeError(`no quantity ${quantity} of a site; there are ${ofSite.map(({ name }) => name).join(', ')}`);
  }

  private answerNow(predictor: WaitPredictor, query: WaitQuery, now: number): WaitForecast {
    const said = this.said.of(predictor.name, query, now, (asked, at) => [
      this.answer(predictor, asked, this.state, at),
    ]);
    return said[0] as WaitForecast;
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
