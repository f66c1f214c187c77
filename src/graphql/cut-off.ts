import { setMaxListeners } from 'node:events';
import { formatExactSeconds } from '../domain/duration.ts';
import { CallerError } from '../domain/failures.ts';

/**
 * Until when the answer of one operation is worked on: its deadline, or the moment at which its caller hangs up. After
 * that nothing new is begun for it.
 */
export class CutOff {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** Rejects at the cut-off, with its reason. */
  readonly passed: Promise<never>;

  constructor() {
    // Each forecast that is asked for listens until it is answered, and a tenant's bound says how many may be.
    setMaxListeners(0, this.signal);
    this.passed = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.passed.catch(() => undefined);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** @param seconds in wall time */
  setDeadline(seconds: number): void {
    const tooLate = () => this.controller.abort(deadlineExceeded(seconds));
    this.timer = setTimeout(tooLate, seconds * 1000).unref();
  }

  /** The operation is over: what is still computed for it is not needed. */
  end(): void {
    clearTimeout(this.timer);
    this.controller.abort(OVER);
  }
}

/** One for all: every request ends so, hardly one is still looked at then, and to note where an error is made costs. */
const OVER = new CallerError('DEADLINE_EXCEEDED', null, 'the operation is over, or its caller hung up');

function deadlineExceeded(seconds: number): CallerError {
  const message = `this took longer than ${formatExactSeconds(seconds)} and was given up; ask for less at once. A change may have been made: send it again with the same idempotencyKey, or look`;
  return new CallerError('DEADLINE_EXCEEDED', null, message);
}
