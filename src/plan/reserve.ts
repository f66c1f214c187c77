import { formatExactSeconds, formatSeconds } from '../domain/duration.ts';
import { describeOutside, isWithheld } from '../domain/known-range.ts';
import type { ChargeForecast, Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import type { ReservationOffer } from '../domain/reservation-offer.ts';
import type { Steps } from '../domain/steps.ts';
import { aimedProbability, promisableProbability } from './aim.ts';
import { describeCost, forecastCharge } from './charge.ts';
import { holdPriceSeconds } from './price.ts';
import { isPastLongEnough } from './supported-probability.ts';
import { latestPointReaching, mostProbablePoint, type TrajectoryInput, trajectorySteps } from './trajectory.ts';

/** A reservation that is asked for. */
export interface ReservationInput extends TrajectoryInput {
  readonly processors: number;
  /** What the site bills for each second of it, in processors; as many as it asks for unless told. */
  readonly billedProcessors?: number | undefined;
  /** Wanted probability of running at `startAt`, within (0, 1); null for the most probable submission time. */
  readonly probability: number | null;
  /** How far above the promise to aim, from `marginAfter`; 0 unless told. */
  readonly margin?: number;
  /** No more is promised, however much is forecast; 1 unless told. */
  readonly mostProbability?: number;
  /** Most the caller will pay in the worst case, own work included; null for no cap. */
  readonly maxChargeProcessorSeconds: number | null;
  /** Most that holding processors may cost on average; any unless told. */
  readonly maxExpectedPaddingProcessorSeconds?: number | null;
}

/**
 * Promises the latest submission time that reaches the probability within the cap, which holds the processors for the
 * shortest time; or refuses, naming the best probability on offer and its moment. Source: nurmi-varq, section 3.1.
 */
export function* reservationSteps(input: ReservationInput): Steps<ReservationOffer> {
  const trajectory = yield* trajectorySteps(input);
  const affordable = withinCap(input, trajectory);
  const promisable = atMost(input, affordable);
  const point = choosePoint(promisable, input);
  const best = mostProbablePoint(promisable);
  const withheld = best && withheldBecause(input, best);
  if (withheld) return { kind: 'REFUSAL', unmet: 'probability', best, reason: withheld, isWithheld: true, trajectory };
  if (point) {
    const { probability, margin = 0, maxExpectedPaddingProcessorSeconds = null } = input;
    const isCapped = maxExpectedPaddingProcessorSeconds !== null;
    const aim = { probability: probability ?? point.probability, margin, isCapped };
    const price = holdPriceSeconds(affordable, aim);
    return { kind: 'PROMISE', point, charge: chargeAt(input, point), holdPriceSeconds: price, trajectory };
  }
  const unheld = mostProbablePoint(affordable);
  const why = refusalReason(input, { trajectory: atMost(input, trajectory), best, unheld });
  return { kind: 'REFUSAL', best, ...why, isWithheld: false, trajectory };
}

/**
 * Why no probability is promised on such forecasts, however high; null when one may be. The most probable time is
 * offered all the same.
 */
function withheldBecause({ probability, forecastAt }: ReservationInput, best: TrajectoryPoint): string | null {
  const outside = forecastAt(best.submitAt, best.walltimeSeconds).outsideKnownRange;
  if (probability === null || !outside || !isWithheld(outside)) return null;
  return `promises are withheld while too little is known of its present state: it ${describeOutside(outside)}`;
}

/** What a reservation is charged when it is submitted at a point of its trajectory. */
export function chargeAt(input: ReservationInput, point: TrajectoryPoint): ChargeForecast {
  const forecast = input.forecastAt(point.submitAt, point.walltimeSeconds);
  return forecastCharge({ ...input, submitAt: point.submitAt, forecast });
}

function choosePoint(trajectory: Trajectory, { probability, margin = 0 }: ReservationInput): TrajectoryPoint | null {
  if (probability !== null) return latestPointReaching(trajectory, aimedProbability(probability, margin));
  const best = mostProbablePoint(trajectory);
  return best && best.probability > 0 ? best : null;
}

function atMost({ mostProbability = 1 }: ReservationInput, trajectory: Trajectory): Trajectory {
  return trajectory.map((point) => ({ ...point, probability: Math.min(point.probability, mostProbability) }));
}

/** The points whose worst charge, own work included, and whose expected padding are within the caps. */
export function withinCap(
  { processors, billedProcessors = processors, maxChargeProcessorSeconds, maxExpectedPaddingProcessorSeconds }: Caps,
  trajectory: Trajectory,
): Trajectory {
  const mostCharge = maxChargeProcessorSeconds ?? Number.POSITIVE_INFINITY;
  const mostPadding = maxExpectedPaddingProcessorSeconds ?? Number.POSITIVE_INFINITY;
  return trajectory.filter(
    ({ walltimeSeconds, expectedHoldSeconds }) =>
      walltimeSeconds * billedProcessors <= mostCharge && expectedHoldSeconds * billedProcessors <= mostPadding,
  );
}

type Caps = Pick<
  ReservationInput,
  'processors' | 'billedProcessors' | 'maxChargeProcessorSeconds' | 'maxExpectedPaddingProcessorSeconds'
>;

/** What was on offer of which nothing does. */
interface OnOffer {
  readonly trajectory: Trajectory;
  /** The most probable point within the cap. */
  readonly best: TrajectoryPoint | null;
  /** The same if nothing were held back at the site. */
  readonly unheld: TrajectoryPoint | null;
}

/** Which term stands in the way, and how. */
function refusalReason(input: ReservationInput, { trajectory, best, unheld }: OnOffer): Unmet {
  if (trajectory.length === 0) {
    if (input.earliestSubmitAt >= input.startAt) return { unmet: 'startAt', reason: 'the start time has come' };
    const limit = formatExactSeconds(input.maxWalltimeSeconds ?? Number.POSITIVE_INFINITY);
    const reason = `no submission time keeps the padded walltime within the queue's limit of ${limit}`;
    return { unmet: 'walltimeSeconds', reason };
  }
  const uncapped = choosePoint(trajectory, input);
  if (uncapped) return { unmet: 'maxPaddingProcessorSeconds', reason: cappedReason(input, uncapped, best) };
  if (best) return { unmet: 'probability', reason: improbableReason(input, best, unheld) };
  return { unmet: 'maxPaddingProcessorSeconds', reason: 'no submission time keeps within the cap on padding' };
}

type Unmet = Pick<Extract<ReservationOffer, { kind: 'REFUSAL' }>, 'unmet' | 'reason'>;

/** What is on offer within the cap, and the least that would do without it. */
function cappedReason(input: ReservationInput, enough: TrajectoryPoint, best: TrajectoryPoint | null): string {
  const within = best
    ? `the best within the cap on padding is ${worthOf(input, best)}`
    : 'nothing is on offer within the cap on padding';
  const { processors, billedProcessors = processors, walltimeSeconds } = input;
  const padding = (enough.walltimeSeconds - walltimeSeconds) * billedProcessors;
  const expected = enough.expectedHoldSeconds * billedProcessors;
  const cost = describeCost(expected, walltimeSeconds * billedProcessors);
  return `${within}; a padding of ${padding} processor-seconds at most would do: ${cost}`;
}

/** The highest promise that a point is good for. */
function worthOf({ probability, margin = 0 }: ReservationInput, best: TrajectoryPoint): number {
  return probability === null ? best.probability : promisableProbability(best.probability, { probability, margin });
}

function improbableReason(input: ReservationInput, best: TrajectoryPoint, unheld: TrajectoryPoint | null): string {
  const wanted = input.probability === null ? 'any probability above 0' : `probability ${input.probability}`;
  const lead = formatSeconds(input.startAt - best.submitAt);
  const offer = `the best is ${worthOf(input, best)}, when submitted ${lead} before the start time`;
  return `${wanted} is not on offer; ${offer}${heldRemark(best, unheld)}${shortPastRemark(input, best)}`;
}

/** That what was promised to others before is in the way; empty where it is not. */
function heldRemark(best: TrajectoryPoint, unheld: TrajectoryPoint | null): string {
  return unheld && best.probability < unheld.probability ? '; work that is held back there is in the way' : '';
}

/** That so little of the site's past is known that less is promised than forecast; empty where enough is. */
function shortPastRemark({ startAt, earliestSubmitAt, forecastAt }: ReservationInput, best: TrajectoryPoint): string {
  const { knownPastSeconds } = forecastAt(best.submitAt, best.walltimeSeconds);
  const ahead = startAt - earliestSubmitAt;
  if (knownPastSeconds === undefined || isPastLongEnough(knownPastSeconds, ahead)) return '';
  return `; only ${formatSeconds(knownPastSeconds)} of its past are known, too little to promise more ${formatSeconds(ahead)} ahead`;
}
