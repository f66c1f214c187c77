import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { SiteFailure, Unavailable } from '../../src/domain/failures.ts';
import type { ServiceStanding } from '../../src/domain/site-service.ts';

/** How much is asked of a site at once, and when it is left alone. */
export interface GuardOptions {
  /** Calls in hand at once; further ones wait their turn. */
  readonly maxConcurrent: number;
  /** Calls that may wait; further ones are refused. */
  readonly maxWaiting: number;
  /** After so many failures in a row a service of the site is left alone ... */
  readonly failuresInARow: number;
  /** ... for so long. Then one call tries it. */
  readonly coolDownMilliseconds: number;
  /** A call that has not had its turn by then is given up, and not carried out later. */
  readonly maxWaitMilliseconds: number;
}

/**
 * Every call to a site goes through its guard: a cap on the calls at once, and a circuit breaker for each of the site's
 * services (say `scheduler` and `accounting`), since one may be down without the other. `Unavailable` and `Unknown`
 * count as failures.
 */
export class SiteGuard {
  private readonly cap;
  private readonly services = new Map<string, GuardedService>();

  constructor(
    private readonly place: string,
    private readonly options: GuardOptions,
  ) {
    this.cap = bulkhead(options.maxConcurrent, options.maxWaiting);
  }

  /**
   * Does something at the site when it is its turn.
   * @throws Unavailable without having tried when the service is being left alone or too many calls wait; otherwise
   * what `action` throws
   */
  async run<Answer>(service: string, action: () => Promise<Answer>): Promise<Answer> {
    try {
      return await this.inTurn(() => this.serviceOf(service).run(action));
    } catch (error) {
      if (error instanceof BrokenCircuitError) {
        const last = this.serviceOf(service).lastFault;
        const words = last?.siteSays ?? 'it failed';
        const times = this.options.failuresInARow;
        const message = `${this.place}: ${service} is left alone after ${times} failures in a row: ${words}`;
        throw new Unavailable(message, words, last ? { code: last.code } : {});
      }
      if (error instanceof BulkheadRejectedError) {
        throw new Unavailable(`${this.place}: ${this.options.maxWaiting} calls are waiting already`);
      }
      throw error;
    }
  }

  /** Runs it when there is room, unless nobody waits for it any more by then. */
  private inTurn<Answer>(action: () => Promise<Answer>): Promise<Answer> {
    const { maxWaitMilliseconds } = this.options;
    return new Promise((resolve, reject) => {
      let isGivenUp = false;
      const timer = setTimeout(() => {
        isGivenUp = true;
        reject(
          new Unavailable(`${this.place}: no turn within ${maxWaitMilliseconds} ms`, undefined, { code: 'TIMED_OUT' }),
        );
      }, maxWaitMilliseconds);
      this.cap
        .execute(async () => {
          clearTimeout(timer);
          if (!isGivenUp) resolve(await action());
        })
        .catch((error: unknown) => {
          clearTimeout(timer);
          reject(error);
        });
    });
  }

  /** How every service stands that was asked something by now. */
  standings(): ServiceStanding[] {
    return [...this.services.values()].map((service) => service.standing());
  }

  private serviceOf(name: string): GuardedService {
    const service = this.services.get(name) ?? new GuardedService(name, this.options);
    this.services.set(name, service);
    return service;
  }
}

/** One service of a site with its circuit breaker. */
class GuardedService {
  lastFault: SiteFailure | null = null;
  private readonly breaker: CircuitBreakerPolicy;
  /** Milliseconds of a clock that never goes back. */
  private leftAloneSince: number | null = null;
  private answeredAt: number | null = null;

  constructor(
    private readonly name: string,
    { failuresInARow, coolDownMilliseconds }: GuardOptions,
  ) {
    this.breaker = circuitBreaker(handleWhen(isFault), {
      halfOpenAfter: coolDownMilliseconds,
      breaker: new ConsecutiveBreaker(failuresInARow),
    });
    // It breaks again after every try that fails.
    this.breaker.onBreak(() => {
      this.leftAloneSince ??= performance.now();
    });
    this.breaker.onReset(() => {
      this.leftAloneSince = null;
    });
  }

  run<Answer>(action: () => Promise<Answer>): Promise<Answer> {
    return this.breaker.execute(() => this.listen(action));
  }

  standing(): ServiceStanding {
    const secondsSince = (at: number | null) => (at === null ? null : (performance.now() - at) / 1000);
    const [leftAloneSeconds, answeredSeconds] = [secondsSince(this.leftAloneSince), secondsSince(this.answeredAt)];
    return { service: this.name, leftAloneSeconds, answeredSeconds, code: this.lastFault?.code ?? null };
  }

  private async listen<Answer>(action: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await action();
      this.answeredAt = performance.now();
      return answer;
    } catch (error) {
      if (isFault(error)) this.lastFault = error;
      else this.answeredAt = performance.now();
      throw error;
    }
  }
}

function isFault(error: unknown): error is SiteFailure {
  return error instanceof SiteFailure && error.kind !== 'final';
}
