import type { EpochSeconds } from '../../domain/clock.ts';
import { CallerError } from '../../domain/failures.ts';

/** The most that is on offer for a deadline that no site can promise. */
export interface BestFinish {
  /** The site that can promise the most by the deadline, and how much; 0 where none promises anything. */
  readonly siteName: string;
  readonly probability: number;
  /** The first moment by which a site can promise the probability asked for, and which; null where none ever can. */
  readonly earliest: { readonly at: EpochSeconds; readonly siteName: string } | null;
}

/** No site can promise a finish by the deadline with the probability asked for. Carries the most that is on offer. */
export class FinishRefused extends CallerError {
  constructor(
    field: string,
    message: string,
    readonly best: BestFinish,
  ) {
    super('PROMISE_REFUSED', field, message);
    this.name = 'FinishRefused';
  }
}
