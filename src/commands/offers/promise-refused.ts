import { CallerError } from '../../domain/failures.ts';
import type { BestOffer } from './reservation-offers.ts';

/**
 * No site reaches the probability asked for, or none at a padding that is allowed. Carries the most that is on offer;
 * null when nothing is.
 */
export class PromiseRefused extends CallerError {
  constructor(
    code: 'PROMISE_REFUSED' | 'PADDING_TOO_HIGH',
    field: string | null,
    message: string,
    readonly best: BestOffer | null,
  ) {
    super(code, field, message);
    this.name = 'PromiseRefused';
  }
}
