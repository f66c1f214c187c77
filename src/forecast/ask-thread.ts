import { CallerError } from '../domain/failures.ts';
import type { Asker, Questions } from './forecaster.ts';
import type { PostedQuestion } from './thread-options.ts';

/** The part of the thread that answers. */
export interface AnsweringThread {
  ask: (asked: PostedQuestion) => Promise<unknown>;
  cancel: (id: number) => void;
}

/**
 * Asks the thread, for many askers. It counts what is under way for each, and tells the thread what nobody waits for
 * any more.
 */
export class ThreadQuestions {
  private lastId = 0;
  /** Forecasts under way by the asker's name. */
  private readonly inFlight = new Map<string, number>();

  constructor(private readonly thread: AnsweringThread) {}

  /** @param asker nobody in particular unless told: without a bound, and never cancelled */
  askedBy(asker: Asker | null = null): Questions {
    const ask = <Name extends keyof Questions>(name: Name, args: Parameters<Questions[Name]>, weight = 1) =>
      this.ask(asker, { name, args }, weight) as ReturnType<Questions[Name]>;
    return {
      forecastWaits: (...args) => ask('forecastWaits', args),
      forecastByAll: (...args) => ask('forecastByAll', args),
      forecastOthers: (...args) => ask('forecastOthers', args),
      knownWaits: (...args) => ask('knownWaits', args),
      forecastSlots: (...args) => ask('forecastSlots', args),
      forecastIo: (...args) => ask('forecastIo', args),
      forecastDelay: (...args) => ask('forecastDelay', args),
      offerReservation: (...args) => ask('offerReservation', args),
      replanReservations: (...args) => ask('replanReservations', args),
      weighRelease: (...args) => ask('weighRelease', args),
      offerCoAllocation: (question) => ask('offerCoAllocation', [question], question.candidates.length),
    };
  }

  private async ask(
    asker: Asker | null,
    asked: Pick<PostedQuestion, 'name' | 'args'>,
    weight: number,
  ): Promise<unknown> {
    const id = ++this.lastId;
    if (!asker) return this.thread.ask({ ...asked, id, asker: '' });
    const { name, signal } = asker;
    signal.throwIfAborted();
    this.admit(asker, weight);
    const cancel = () => this.thread.cancel(id);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await this.thread.ask({ ...asked, id, asker: name });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.count(name, -weight);
    }
  }

  private admit({ name, mostInFlight }: Asker, weight: number): void {
    const before = this.inFlight.get(name) ?? 0;
    // One that is larger than the bound by itself may be asked alone.
    if (before > 0 && before + weight > mostInFlight) {
      const message = `${before} forecasts are under way for your tenant, at most ${mostInFlight} are computed at once; send it again when some are done`;
      throw new CallerError('BUSY', null, message);
    }
    this.count(name, weight);
  }

  private count(name: string, more: number): void {
    const count = (this.inFlight.get(name) ?? 0) + more;
    if (count > 0) this.inFlight.set(name, count);
    else this.inFlight.delete(name);
  }
}
