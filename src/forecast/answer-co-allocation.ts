import { isWithheld } from '../domain/known-range.ts';
import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import type { Steps } from '../domain/steps.ts';
import { asPromises } from '../plan/aim.ts';
import { withExpectedWork } from '../plan/charge.ts';
import { type CappedCandidate, cappedJointSteps } from '../plan/offer-within-caps.ts';
import { chargeAt, type ReservationInput, withinCap } from '../plan/reserve.ts';
import { trajectorySteps } from '../plan/trajectory.ts';
import { runtimeAmong } from '../predict/quantities.ts';
import { mostBesideHeld } from './beside-held.ts';
import type { DependenceOf } from './dependences.ts';
import type { CoAllocationAnswer, CoAllocationQuestion, ReservationQuestion } from './forecaster.ts';
import { type AnswerOptions, forecastsOfPoint, inputOf } from './reservation-input.ts';
import type { SiteView } from './site-view.ts';

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
  for (const [number, { partId, siteId, leg, promisable }] of question.candidates.entries()) {
    const site = sites.get(siteId);
    if (!site) throw new RangeError(`no view of site ${siteId}`);
    const input = inputOf(site, predictor, leg, handoverSeconds);
    const computed = yield* trajectorySteps(input);
    const most = yield* mostBesideHeld(site, input);
    const isWithheldHere = isWithheldAt(input);
    const trajectory = asPromises(computed, (said) => {
      return isWithheldHere ? 0 : (promisable[Math.round(100 * Math.min(said, most))] ?? 0);
    });
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
    const made = forecastsOfPoint(site, leg, input, planned.point);
    const charge = withExpectedWork(planned.charge, leg.walltimeSeconds, runtimeAmong(made.others));
    return [{ partId, siteId, planned: { ...planned, charge }, trajectory, ...made }];
  });
  return { offer, legs };
}

/** Whether the site has left the range it is known in too lately for anything to be promised there. */
function isWithheldAt({ forecastAt, earliestSubmitAt, walltimeSeconds }: ReservationInput): boolean {
  return isWithheld(forecastAt(earliestSubmitAt, walltimeSeconds).outsideKnownRange);
}
