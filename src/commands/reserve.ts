import type { EpochSeconds } from '../domain/clock.ts';
import type { UnmetReservationTerm } from '../domain/reservation-offer.ts';
import type { Principal } from '../store/principals.ts';
import { type NewPromise, writePromise } from '../store/promises.ts';
import type { NewReservation } from '../store/reservations.ts';
import { carryOut, type Idempotent } from './carry-out/carry-out.ts';
import type { CommandContext } from './carry-out/context.ts';
import { assertRoomForJobs } from './carry-out/room-for-jobs.ts';
import { FaultList } from './input/faults.ts';
import { USUAL_PADDING_RATIO } from './input/usual-padding.ts';
import {
  checkMoment,
  checkPadding,
  checkProbability,
  checkWork,
  newExecution,
  type WorkInput,
} from './input/work-input.ts';
import { assertStillTakeWork } from './offers/eligible-sites.ts';
import { PromiseRefused } from './offers/promise-refused.ts';
import {
  gatherOffers,
  type ReservationOffers,
  type ReservationRequest,
  type SitePromise,
} from './offers/reservation-offers.ts';
import { reservationPlan } from './offers/reservation-plan.ts';

/** A job that must be running at `startAt` with at least the probability asked for. */
export interface ReserveInput extends WorkInput, ReservationRequest, Idempotent {
  /** What becomes of the job when it has not started at `startAt`. */
  readonly ifMissed: NewReservation['ifMissed'];
}

/**
 * Makes a promise, at the site where it is expected to cost least. Returning means the reservation stands, with its
 * plan and the forecasts as they were made.
 * @throws PromiseRefused with the best offer when no site reaches the probability within the cap on padding
 * @throws CallerError when the input is invalid, no site may promise at all, or the tenant has too many open jobs
 */
export function reserve(
  context: CommandContext,
  principal: Principal,
  input: ReserveInput,
): Promise<{ reservationId: string }> {
  return carryOut(context, principal, 'reserve', input, async (commit) => {
    const now = context.clock.now();
    checkReserveInput(context, input, now);
    await assertRoomForJobs(context, principal, 1);
    const offers = await gatherOffers(context, principal, input, 'input', now);
    const { promise } = offers;
    if (!promise) throw refusal(offers, input);
    return commit(async (tx) => {
      await assertStillTakeWork(tx, [promise.site]);
      return writePromise(tx, promiseOf({ context, principal, input, offers, promise, now }));
    });
  });
}

/** Throws every fault of the input that does not depend on the sites. */
export function checkReserveInput({ limits }: CommandContext, input: ReserveInput, now: EpochSeconds): void {
  const faults = new FaultList();
  checkWork(faults, input, 'input', limits);
  checkMoment(faults, input.startAt, 'input.startAt', now, limits);
  checkProbability(faults, input.probability, 'input.probability');
  checkWindow(faults, input);
  checkPadding(faults, input.maxPaddingProcessorSeconds, 'input.maxPaddingProcessorSeconds');
  faults.assertNone();
}

function checkWindow(faults: FaultList, { mode, windowOpensAt, startAt }: ReserveInput): void {
  const field = 'input.windowOpensAt';
  if (mode !== 'WINDOW') {
    faults.require(windowOpensAt === null, field, `windowOpensAt goes with mode WINDOW only, the mode is ${mode}`);
  } else if (windowOpensAt === null) {
    faults.require(false, field, 'mode WINDOW needs windowOpensAt, the earliest moment at which the work may begin');
  } else {
    faults.require(windowOpensAt < startAt, field, 'windowOpensAt must come before startAt');
  }
}

function refusal({ offers, best }: ReservationOffers, input: ReserveInput): PromiseRefused {
  const { probability, maxPaddingProcessorSeconds } = input;
  const why = offers
    .map(({ site, answer }) => `${site.name}: ${answer.offer.kind === 'REFUSAL' ? answer.offer.reason : 'promises'}`)
    .join('; ');
  const unmet = offers.flatMap(({ answer }) => (answer.offer.kind === 'REFUSAL' ? [answer.offer.unmet] : []));
  const cap = unmet.includes('maxPaddingProcessorSeconds');
  const within = cap ? ` with ${capInWords(maxPaddingProcessorSeconds)}` : '';
  const message = `no site promises probability ${probability}${within}: ${why}`;
  const code = cap && maxPaddingProcessorSeconds === null ? 'PADDING_TOO_HIGH' : 'PROMISE_REFUSED';
  return new PromiseRefused(code, `input.${fieldToChange(unmet)}`, message, best);
}

function capInWords(maxPaddingProcessorSeconds: number | null): string {
  if (maxPaddingProcessorSeconds !== null) return `at most ${maxPaddingProcessorSeconds} processor-seconds of padding`;
  return `an expected padding of at most ${USUAL_PADDING_RATIO} times its own work, unless maxPaddingProcessorSeconds allows more`;
}

/**
 * The field that changes the answer of at least one site most easily; the one they agree on where nothing is said of
 * cap and probability.
 */
function fieldToChange(unmet: readonly UnmetReservationTerm[]): UnmetReservationTerm {
  const terms = ['maxPaddingProcessorSeconds', 'probability', 'walltimeSeconds', 'startAt'] as const;
  return terms.find((term) => unmet.includes(term)) ?? 'probability';
}

interface Promised {
  readonly context: CommandContext;
  readonly principal: Principal;
  readonly input: ReserveInput;
  readonly offers: ReservationOffers;
  readonly promise: SitePromise;
  readonly now: EpochSeconds;
}

function promiseOf({ context, principal, input, offers, promise, now }: Promised): NewPromise {
  const { point, charge, trajectory } = promise.offer;
  return {
    request: newExecution(context, principal, input, null, now),
    assignment: { siteId: promise.site.id, siteQueue: promise.queue?.name ?? null, submitAt: point.submitAt },
    ...reservationPlan(offers, promise, input, now),
    terms: {
      coAllocationId: null,
      legId: null,
      mode: input.mode,
      startAt: input.startAt,
      windowOpensAt: input.windowOpensAt,
      ifMissed: input.ifMissed,
      probability: input.probability,
      promisedProbability: promise.promisable,
      worstPaddingProcessorSeconds: charge.worstPaddingProcessorSeconds,
      expectedPaddingProcessorSeconds: charge.expectedPaddingProcessorSeconds,
      maxPaddingProcessorSeconds: input.maxPaddingProcessorSeconds,
      maxExpectedPaddingProcessorSeconds: input.maxExpectedPaddingProcessorSeconds ?? null,
      holdPriceSeconds: promise.offer.holdPriceSeconds,
      trajectory,
    },
  };
}
