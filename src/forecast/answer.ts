import type { TrajectoryPoint } from '../domain/plan.ts';
import type { Steps } from '../domain/steps.ts';
import { aimedOfLeg, aimedProbability } from '../plan/aim.ts';
import { changePoints } from '../plan/change-points.ts';
import { withExpectedWork } from '../plan/charge.ts';
import { pointAfterRelease } from '../plan/price.ts';
import { replan } from '../plan/replan.ts';
import { reservationSteps, withinCap } from '../plan/reserve.ts';
import { firstCommonSubmitAt, trajectorySteps } from '../plan/trajectory.ts';
import { runtimeAmong } from '../predict/quantities.ts';
import { behind, mostBesideHeld } from './beside-held.ts';
import type {
  HeldQuestion,
  HoldingQuestion,
  ReplanAnswer,
  ReservationAnswer,
  ReservationQuestion,
} from './forecaster.ts';
import { type AnswerOptions, forecastsOfPoint, inputOf } from './reservation-input.ts';
import type { SiteView } from './site-view.ts';

/** Promise or refusal as a site is now. */
export function* answerReservation(
  site: SiteView,
  { predictor, handoverSeconds }: AnswerOptions,
  question: ReservationQuestion,
): Steps<ReservationAnswer> {
  const input = inputOf(site, predictor, question, handoverSeconds);
  const mostProbability = yield* mostBesideHeld(site, input);
  const offer = yield* reservationSteps({ ...input, mostProbability });
  const point = offer.kind === 'PROMISE' ? offer.point : offer.best;
  const made = point ? forecastsOfPoint(site, question, input, point) : NOTHING_FORECAST;
  if (offer.kind === 'REFUSAL') return { offer, ...made };
  const charge = withExpectedWork(offer.charge, question.walltimeSeconds, runtimeAmong(made.others));
  return { offer: { ...offer, charge }, ...made };
}

/** A new submission time for a promise that waits as a site is now. */
export function* answerReplan(
  site: SiteView,
  { predictor, handoverSeconds }: AnswerOptions,
  question: HeldQuestion,
): Steps<ReplanAnswer> {
  const { probability, margin, submitAt, startAt, now, executionId, holdPriceSeconds: priceSeconds } = question;
  // One that is due may be submitted now: by the next common time it could be too late.
  const earliestSubmitAt = submitAt <= now ? now : firstCommonSubmitAt(startAt, now);
  const state = site.stateWithout(executionId);
  const input = inputOf(site, predictor, question, handoverSeconds, state);
  const besideEarlier = behind(site.delayByEarlier(executionId, state), input);
  const trajectory = yield* trajectorySteps({ ...besideEarlier, earliestSubmitAt });
  const aim = priceSeconds === null ? aimedOfLeg(probability, margin) : aimedProbability(probability, margin);
  const held = { aimedProbability: aim, priceSeconds, latestSubmitAt: question.latestSubmitAt };
  return { point: replan(held, withinCap(question, trajectory)), trajectory: changePoints(trajectory) };
}

/**
 * When a job that holds processors early had better be submitted again, by the model of its site; null when it should
 * go on.
 */
export function* answerRelease(
  site: SiteView,
  { predictor, handoverSeconds }: AnswerOptions,
  question: HoldingQuestion,
): Steps<TrajectoryPoint | null> {
  const { nativeId, holdPriceSeconds: priceSeconds, holdSeconds, leastGainSeconds, releases } = question;
  const input = inputOf(site, predictor, question, handoverSeconds, site.stateWithout(nativeId));
  const trajectory = withinCap(question, yield* trajectorySteps(input));
  return pointAfterRelease({ priceSeconds, holdSeconds, leastGainSeconds, releases }, trajectory);
}

const NOTHING_FORECAST = { forecast: null, others: [] };
