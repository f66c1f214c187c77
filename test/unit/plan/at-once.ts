import type { ReservationOffer } from '../../../src/domain/reservation-offer.ts';
import { finish } from '../../../src/domain/steps.ts';
import type { AssignmentInput, PartCandidate } from '../../../src/plan/assignment.ts';
import { mostProbableSteps } from '../../../src/plan/most-probable-assignment.ts';
import { type JointInput, type JointOffer, jointSteps } from '../../../src/plan/offer-jointly.ts';
import { type CappedJointInput, type CappedJointOffer, cappedJointSteps } from '../../../src/plan/offer-within-caps.ts';
import { type ReservationInput, reservationSteps } from '../../../src/plan/reserve.ts';

/** Offers that are worked out in steps, worked out at once. */
export function mostProbableAssignment(input: AssignmentInput): readonly PartCandidate[] {
  return finish(mostProbableSteps(input));
}

export function offerJointly(input: JointInput): JointOffer {
  return finish(jointSteps(input));
}

export function offerWithinCaps(input: CappedJointInput): CappedJointOffer {
  return finish(cappedJointSteps(input));
}

export function offerReservation(input: ReservationInput): ReservationOffer {
  return finish(reservationSteps(input));
}
