import { DAY_SECONDS, type EpochSeconds } from '../domain/clock.ts';
import { probabilityToStartWithin, type WaitForecast } from '../domain/forecast.ts';
import type { Trajectory, TrajectoryPoint } from '../domain/plan.ts';
import { finish, type Steps } from '../domain/steps.ts';
import { expectedHoldSeconds, longestHoldSeconds } from './hold.ts';
import { supportedProbability } from './supported-probability.ts';

/** What a probability trajectory is computed from. */
export interface TrajectoryInput {
  /** The caller's own walltime. */
  readonly walltimeSeconds: number;
  /** When the job must be running. */
  readonly startAt: EpochSeconds;
  /** Until when it holds its processors when it starts early, as `holdUntil` says; null when it does not. */
  readonly holdUntilAt: EpochSeconds | null;
  readonly earliestSubmitAt: EpochSeconds;
  /** How long it may take from the time of submission until the site has the job; none unless told. */
  readonly handoverSeconds?: number;
  /** The queue's limit; null where it states none. */
  readonly maxWalltimeSeconds: number | null;
  /** Shares of their walltimes that jobs are known to use, equally probable; the whole unless told. */
  readonly walltimeShares?: readonly number[];
  /** The wait of a job submitted then with that walltime, padding included. */
  readonly forecastAt: (submitAt: EpochSeconds, walltimeSeconds: number) => WaitForecast;
}

/**
 * Probability of running at `startAt` for each submission time from `earliestSubmitAt` on, every 30 s (every 5 minutes
 * while more than a day ahead of `startAt`, every hour while more than ten days ahead). The walltime asked for is the
 * caller's plus the longest hold; the wait it may have is what is left after handing it over, and not so short that its
 * work would be over by then. What the site's past is too short to support is taken off. Times whose walltime the queue
 * does not allow are left out. Empty when `startAt` has come or none is allowed.
 *
 * Source: nurmi-varq, section 3.1, figure 3, with the walltime of its erratum.
 */
export function computeTrajectory(input: TrajectoryInput): Trajectory {
  return finish(trajectorySteps(input));
}

/** The same, a submission time at a step. */
export function* trajectorySteps(input: TrajectoryInput): Steps<Trajectory> {
  const limit = input.maxWalltimeSeconds ?? Number.POSITIVE_INFINITY;
  const trajectory: TrajectoryPoint[] = [];
  for (let at = input.earliestSubmitAt; at < input.startAt; at += stepSeconds(input.startAt - at)) {
    const point = pointAt(input, at);
    if (point.walltimeSeconds <= limit) trajectory.push(point);
    yield;
  }
  return trajectory;
}

/** One submission time of the trajectory. */
function pointAt(input: TrajectoryInput, submitAt: EpochSeconds): TrajectoryPoint {
  const walltimeSeconds = Math.ceil(input.walltimeSeconds + longestHoldSeconds(input.holdUntilAt, submitAt));
  const forecast = input.forecastAt(submitAt, walltimeSeconds);
  const inTime = probabilityToStartWithin(forecast, input.startAt - submitAt - (input.handoverSeconds ?? 0));
  const isOver = probabilityToBeOver(input, submitAt, forecast);
  const supported = (probability: number) => supportedBy(forecast, input, probability);
  const doubted = (probability: number) => (probability === 0 ? 0 : 1 - supported(1 - probability));
  return {
    submitAt,
    walltimeSeconds,
    probability: Math.max(0, Math.round(100 * (supported(inTime) - doubted(isOver))) / 100),
    expectedHoldSeconds: expectedHoldSeconds(input.holdUntilAt, submitAt, forecast),
  };
}

/** What the site's past supports of a probability; all of it where it is not told how much of it is known. */
function supportedBy(
  { knownPastSeconds }: WaitForecast,
  { startAt, earliestSubmitAt }: TrajectoryInput,
  probability: number,
): number {
  return knownPastSeconds === undefined
    ? probability
    : supportedProbability(probability, knownPastSeconds, startAt - earliestSubmitAt);
}

/**
 * Probability that its own work is over at `startAt`: over the shares of walltimes that jobs use, that it began so
 * early.
 */
function probabilityToBeOver(input: TrajectoryInput, submitAt: EpochSeconds, forecast: WaitForecast): number {
  const { startAt, walltimeSeconds, holdUntilAt, walltimeShares = WHOLE_WALLTIME } = input;
  let sum = 0;
  for (const share of walltimeShares) {
    const mustHaveBegunAt = startAt - share * walltimeSeconds;
    if (mustHaveBegunAt < submitAt || (holdUntilAt !== null && holdUntilAt >= mustHaveBegunAt)) continue;
    sum += probabilityToStartWithin(forecast, mustHaveBegunAt - submitAt);
  }
  return sum / walltimeShares.length;
}

const WHOLE_WALLTIME: readonly number[] = [1];

/**
 * The first submission time from `now` on that lies a whole number of steps before `startAt`: trajectories that begin
 * at such times have their submission times in common, however much later one is computed than the other.
 */
export function firstCommonSubmitAt(startAt: EpochSeconds, now: EpochSeconds): EpochSeconds {
  const step = stepSeconds(startAt - now);
  return startAt - Math.floor((startAt - now) / step) * step;
}

function stepSeconds(leadSeconds: number): number {
  if (leadSeconds > 10 * DAY_SECONDS) return 3600;
  return leadSeconds > DAY_SECONDS ? 300 : STEP_SECONDS;
}

/** The paper's step. */
export const STEP_SECONDS = 30;

/** The latest point that reaches the probability, which is the cheapest; null when there is none. */
export function latestPointReaching(trajectory: Trajectory, probability: number): TrajectoryPoint | null {
  return trajectory.findLast((point) => point.probability >= probability) ?? null;
}

/** The most probable point, the latest of equals; null for an empty trajectory. */
export function mostProbablePoint(trajectory: Trajectory): TrajectoryPoint | null {
  return trajectory.reduce<TrajectoryPoint | null>(
    (best, point) => (best === null || point.probability >= best.probability ? point : best),
    null,
  );
}
