import { CallerError } from '../domain/failures.ts';
import type { BestOffer } from './reservation-offers.ts';

/** No site reaches the probability asked for. Carries the most that is on offer; null when nothing is. */
export class PromiseRefused extends CallerError {
  constructor(
    field: string | null,
    message: string,
    readonly best: BestOffer | null,
  ) {
    super('PROMISE_REFUSED', field, message);
    this.name = 'PromiseRefused';
  }
}
