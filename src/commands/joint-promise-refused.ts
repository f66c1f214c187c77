import { CallerError } from '../domain/failures.ts';
import type { UnmetTerm } from '../plan/offer-jointly.ts';
import type { JointFigures } from './co-allocation-offers.ts';

/** No sites reach a joint probability that is asked for. Carries what those come to that come closest. */
export class JointPromiseRefused extends CallerError {
  constructor(
    unmet: UnmetTerm,
    message: string,
    readonly best: JointFigures,
  ) {
    super('PROMISE_REFUSED', `input.${unmet}`, message);
    this.name = 'JointPromiseRefused';
  }
}
