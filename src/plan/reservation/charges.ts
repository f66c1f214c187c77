import type { ChargeKind } from '../../domain/charge.ts';
import type { EpochSeconds } from '../../domain/clock.ts';
import { longestHoldSeconds } from '../hold.ts';
import { workBeginsAt } from './held-again.ts';
import type { ExecutionFacts, PromiseFacts } from './promised-job.ts';

/** What processors were held for. */
export interface ChargedAmount {
  readonly kind: ChargeKind;
  readonly processorSeconds: number;
}

type RanJob = Pick<
  ExecutionFacts,
  'startedAt' | 'endedAt' | 'processors' | 'billedProcessors' | 'earlierRunSeconds'
> & {
  /** Of a job that waited to be told to begin; absent of any other. */
  readonly gateOpenedAt?: EpochSeconds | null;
};
type ChargedPromise = Pick<
  PromiseFacts,
  'state' | 'startAt' | 'mode' | 'windowOpensAt' | 'coAllocationId' | 'releasedProcessorSeconds'
>;

/**
 * What the execution's processors were spent on, as its site bills them. Without a reservation all is needed; with one
 * the time before `startAt` is padding, as is what it held early and gave back; a cancelled leg of a co-allocation is
 * lost altogether, and so is every run that the site took back.
 */
export function chargesOf(execution: RanJob, reservation: ChargedPromise | null): ChargedAmount[] {
  const { startedAt, endedAt, earlierRunSeconds } = execution;
  const processors = execution.billedProcessors ?? execution.processors;
  const released = reservation?.releasedProcessorSeconds ?? 0;
  const ranSeconds = startedAt === null || endedAt === null ? 0 : Math.max(0, endedAt - startedAt);
  const isLost = reservation?.state === 'CANCELLED' && reservation.coAllocationId !== null;
  const paddingSeconds = isLost ? 0 : heldIdleSeconds(execution, reservation);
  const lostSeconds = earlierRunSeconds + (isLost ? ranSeconds : 0);
  const neededSeconds = isLost ? 0 : ranSeconds - paddingSeconds;
  const charges: ChargedAmount[] = [
    { kind: 'NEEDED', processorSeconds: neededSeconds * processors },
    { kind: 'PADDING', processorSeconds: (isLost ? 0 : released) + paddingSeconds * processors },
    { kind: 'LOST', processorSeconds: (isLost ? released : 0) + lostSeconds * processors },
  ];
  // A job that ran is charged, however short it was, and so is a leg that lost.
  const main = isLost ? 'LOST' : reservation ? null : 'NEEDED';
  return charges.filter(({ kind, processorSeconds }) => processorSeconds > 0 || (startedAt !== null && kind === main));
}

/** The same with the processor-seconds of tries that were followed by another, which are lost. */
export function withLostTries(charges: readonly ChargedAmount[], processorSeconds: number): ChargedAmount[] {
  if (processorSeconds === 0) return [...charges];
  const others = charges.filter(({ kind }) => kind !== 'LOST');
  return [...others, { kind: 'LOST', processorSeconds: processorSeconds + chargedFor('LOST', charges) }];
}

/** Processor-seconds of one kind among charges; 0 when there are none. */
export function chargedFor(kind: ChargeKind, charges: readonly ChargedAmount[]): number {
  return charges.reduce((sum, charge) => sum + (charge.kind === kind ? charge.processorSeconds : 0), 0);
}

/** How long a job that ran held its processors before its own work. */
export function heldIdleSeconds(
  { startedAt, endedAt, gateOpenedAt = null }: Pick<RanJob, 'startedAt' | 'endedAt' | 'gateOpenedAt'>,
  promise: Pick<ChargedPromise, 'mode' | 'startAt' | 'windowOpensAt'> | null,
): number {
  if (startedAt === null || endedAt === null) return 0;
  const beginsAt = promise ? workBeginsAt(promise) : (gateOpenedAt ?? startedAt);
  return longestHoldSeconds(Math.min(beginsAt, endedAt), startedAt);
}
