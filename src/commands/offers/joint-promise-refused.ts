import { CallerError } from '../../domain/failures.ts';
import type { LegTerms } from '../input/co-allocation-terms.ts';
import { USUAL_PADDING_RATIO } from '../input/usual-padding.ts';
import type { JointFigures, JointRefusal } from './co-allocation-offers.ts';

/**
 * No sites reach a joint probability that is asked for, or none at a padding that is allowed. Carries what those come
 * to that come closest.
 */
export class JointPromiseRefused extends CallerError {
  constructor(
    code: 'PROMISE_REFUSED' | 'PADDING_TOO_HIGH',
    field: string,
    message: string,
    readonly best: JointFigures,
  ) {
    super(code, field, message);
    this.name = 'JointPromiseRefused';
  }
}

/** The refusal with the field that changes the answer; of legs that are dear the first of which nothing was said. */
export function jointRefusal(refusal: JointRefusal & JointFigures, legs: readonly LegTerms[]): JointPromiseRefused {
  const { unmet, reason } = refusal;
  if (unmet !== 'maxPaddingProcessorSeconds') {
    return new JointPromiseRefused('PROMISE_REFUSED', `input.${unmet}`, reason, refusal);
  }
  const dear = refusal.dearParts.map(({ partId }) => legs.findIndex(({ legId }) => legId === partId));
  const unsaid = dear.find((index) => (legs[index]?.maxPaddingProcessorSeconds ?? null) === null);
  const field = `input.legs[${unsaid ?? dear[0] ?? 0}].maxPaddingProcessorSeconds`;
  if (unsaid === undefined) return new JointPromiseRefused('PROMISE_REFUSED', field, reason, refusal);
  const usual = `the expected padding of a leg is at most ${USUAL_PADDING_RATIO} times its own work, unless its maxPaddingProcessorSeconds allows more`;
  return new JointPromiseRefused('PADDING_TOO_HIGH', field, `${reason}; ${usual}`, refusal);
}
