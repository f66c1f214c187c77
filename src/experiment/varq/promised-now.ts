import type { KeptPromise } from '../../plan/reservation/life.ts';
import type { VarqTerms } from './varq-reservation.ts';

/** A promise that has just been made: held until the submission time that was chosen, and cancelled when missed. */
export function promisedNow({ work, point, priceSeconds, coAllocationId }: VarqTerms): KeptPromise {
  return {
    execution: {
      state: 'HELD',
      outcome: null,
      reason: null,
      processors: work.processors,
      attempts: 0,
      submitAt: point.submitAt,
      nativeSubmittedAt: null,
      startedAt: null,
      endedAt: null,
      earlierRunSeconds: 0,
      deadlineAt: null,
      missingSince: null,
      cancelRequestedAt: null,
      cancelReason: null,
      settledAt: null,
      awaits: false,
      gateSeconds: null,
      gateOpenedAt: null,
    },
    reservation: {
      state: 'PROMISED',
      mode: 'HOLD',
      startAt: work.startAt,
      windowOpensAt: null,
      ifMissed: 'CANCEL',
      holdPriceSeconds: priceSeconds,
      coAllocationId,
      releasedProcessorSeconds: 0,
    },
    leaving: null,
  };
}
