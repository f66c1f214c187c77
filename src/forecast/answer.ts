import type { QuantityForecast, WaitForecast } from '../domain/forecast.ts';
import { isWithheld } from '../domain/known-range.ts';
import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import type { Steps } from '../domain/steps.ts';
import { aimedProbability, asPromises, promisableProbability } from '../plan/aim.ts';
import { changePoints } from '../plan/change-points.ts';
import { holdUntil } from '../plan/hold.ts';
import { type CappedCandidate, cappedJointSteps } from '../plan/offer-within-caps.ts';
import { pointAfterRelease } from '../plan/price.ts';
import { replan } from '../plan/replan.ts';
import { chargeAt, type ReservationInput, reservationSteps, withinCap } from '../plan/reserve.ts';
import { firstCommonSubmitAt, trajectorySteps } from '../plan/trajectory.ts';
import type { DependenceOf } from './dependences.ts';
import type {
  CoAllocationAnswer,
  CoAllocationQuestion,
  HeldQuestion,
  HoldingQuestion,
  ReplanAnswer,
  ReservationAnswer,
  ReservationQuestion,
} from './forecaster.ts';
import type { SiteView } from './site-view.ts';

/** What the answers of one deployment have in common. */
export interface AnswerOptions {
  /** Name of the predictor that decides. */
  readonly predictor: string;
  /** How long it may take from the time of submission until a site has the job. */
  readonly handoverSeconds: number;
}

/** Promise or refusal as a site is now. */
export function* answerReservation(
  site: SiteView,
  { predictor, handoverSeconds }: AnswerOptions,
  question: ReservationQuestion,
): Steps<ReservationAnswer> {
  const input = inputOf(site, predictor, question, handoverSeconds);
  const offer = yield* reservationSteps(input);
  const point = offer.kind === 'PROMISE' ? offer.point : offer.best;
  return { offer, ...(point ? forecastsOfPoint(site, question, input, point) : NOTHING_FORECAST) };
}

/** A new submission time for a promise that waits as a site is now. */
export function* answerReplan(
  site: SiteView,
  { predictor, handoverSeconds }: AnswerOptions,
  question: HeldQuestion,
): Steps<ReplanAnswer> {
  const { probability, margin, submitAt, startAt, now, executionId } = question;
  // One that is due may be submitted now: by the next common time it could be too late.
  const earliestSubmitAt = submitAt <= now ? now : firstCommonSubmitAt(startAt, now);
  const input = inputOf(site, predictor, question, handoverSeconds, site.stateWithout(executionId));
  const trajectory = yield* trajectorySteps({ ...input, earliestSubmitAt });
  const aimed = aimedProbability(probability, margin);
  const held = { probability, aimedProbability: aimed, submitAt, priceSeconds: question.holdPriceSeconds };
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

/** A candidate with what was computed for it. */
interface Answered extends CappedCandidate {
  readonly site: SiteView;
  readonly leg: ReservationQuestion;
  readonly input: ReservationInput;
  readonly computed: Trajectory;
}

/** Joint promise or refusal over several sites, each by its model. */
export function* answerCoAllocation(
  sites: ReadonlyMap<string, SiteView>,
  dependenceOf: DependenceOf,
  { predictor, handoverSeconds }: AnswerOptions,
  question: CoAllocationQuestion,
): Steps<CoAllocationAnswer> {
  const candidates: Answered[] = [];
  for (const [number, { partId, siteId, leg }] of question.candidates.entries()) {
    const site = sites.get(siteId);
    if (!site) throw new RangeError(`no view of site ${siteId}`);
    const input = inputOf(site, predictor, leg, handoverSeconds);
    const computed = yield* trajectorySteps(input);
    const asked = { probability: question.probability, margin: leg.margin };
    const trajectory = asPromises(
      computed,
      isWithheldAt(input) ? () => 0 : (said) => promisableProbability(said, asked),
    );
    candidates.push({
      legId: String(number),
      partId,
      siteId,
      site,
      leg,
      input,
      computed,
      trajectory,
      affordable: withinCap(input, trajectory),
      chargeAt: (point: TrajectoryPoint) => chargeAt(input, point),
    });
  }
  const offer = yield* cappedJointSteps({ ...question, candidates, dependenceOf });
  if (offer.kind === 'REFUSAL') return { offer, legs: [] };
  const legs = candidates.flatMap(({ legId, partId, siteId, site, leg, input, computed: trajectory }) => {
    const planned = offer.legs.find((leg) => leg.legId === legId);
    if (!planned) return [];
    return [{ partId, siteId, planned, trajectory, ...forecastsOfPoint(site, leg, input, planned.point) }];
  });
  return { offer, legs };
}

function inputOf(
  site: SiteView,
  predictor: string,
  question: ReservationQuestion,
  handoverSeconds: number,
  state?: Snapshot | null,
): ReservationInput {
  const { queue, processors, user, now, mode, startAt, windowOpensAt, ...rest } = question;
  return {
    ...rest,
    processors,
    startAt,
    holdUntilAt: holdUntil(mode, startAt, windowOpensAt),
    earliestSubmitAt: now,
    handoverSeconds,
    walltimeShares: site.past.walltimeShares,
    forecastAt: (submitAt, walltimeSeconds) =>
      site.predict(
        predictor,
        { queue, processors, requestedWalltimeSeconds: walltimeSeconds, user, submitAt, isOneOfMany: true },
        now,
        state,
      ),
  };
}

/** Whether the site has left the range it is known in too lately for anything to be promised there. */
function isWithheldAt({ forecastAt, earliestSubmitAt, walltimeSeconds }: ReservationInput): boolean {
  return isWithheld(forecastAt(earliestSubmitAt, walltimeSeconds).outsideKnownRange);
}

/** What is forecast of a submission: the wait of the padded job, and everything else of its work. */
function forecastsOfPoint(
  site: SiteView,
  { queue, processors, walltimeSeconds, user, now }: ReservationQuestion,
  { forecastAt }: ReservationInput,
  { submitAt, walltimeSeconds: paddedSeconds }: TrajectoryPoint,
): { forecast: WaitForecast; others: readonly QuantityForecast[] } {
  const work = { queue, processors, user, requestedWalltimeSeconds: walltimeSeconds, submitAt };
  return { forecast: forecastAt(submitAt, paddedSeconds), others: site.predictOthers(work, now) };
}

const NOTHING_FORECAST = { forecast: null, others: [] };
