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
  private readonly breakers = new Map<string, CircuitBreakerPolicy>();
  private readonly lastFaults = new Map<string, SiteFailure>();

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
      return await this.inTurn(() => this.breakerOf(service).execute(() => this.listen(service, action)));
    } catch (error) {
      if (error instanceof BrokenCircuitError) {
        const last = this.lastFaults.get(service);
        const words = last?.siteSays ?? 'it failed';
        const times = this.options.failuresInARow;
        const message = `${this.place}: ${service} is left alone after ${times} failures in a row: ${words}`;
        throw new Unavailable(message, words, last && { code: last.code });
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

  private async listen<Answer>(service: string, action: () => Promise<Answer>): Promise<Answer> {
    try {
      return await action();
    } catch (error) {
      if (isFault(error)) this.lastFaults.set(service, error);
      throw error;
    }
  }

  private breakerOf(service: string): CircuitBreakerPolicy {
    const known = this.breakers.get(service);
    if (known) return known;
    const { failuresInARow, coolDownMilliseconds } = this.options;
    const breaker = circuitBreaker(handleWhen(isFault), {
      halfOpenAfter: coolDownMilliseconds,
      breaker: new ConsecutiveBreaker(failuresInARow),
    });
    this.breakers.set(service, breaker);
    return breaker;
  }
}

function isFault(error: unknown): error is SiteFailure {
  return error instanceof SiteFailure && error.kind !== 'final';
}
