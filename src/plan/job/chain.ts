import type { EpochSeconds } from '../../domain/clock.ts';
import { QUANTILE_COUNT, type RuntimeForecast, type WaitForecast } from '../../domain/forecast.ts';
import { runtimeSoFar } from '../../domain/runtime-so-far.ts';

/** A job that another one is to follow, as it is forecast at its site. */
export interface ForecastPredecessor {
  /** When its work began; null while it waits. */
  readonly beganAt: EpochSeconds | null;
  readonly runtime: RuntimeForecast;
  /** How long after its start its site ends it. */
  readonly walltimeSeconds: number;
  /** While it waits: how long one waits that is submitted now, which it will hardly exceed. */
  readonly wait: WaitForecast | null;
}

/** What is known of a successor that is to start when its predecessor ends. */
export interface ChainQuestion {
  /** Percentiles 1 to 99 of the predecessor's end. */
  readonly endAt: readonly EpochSeconds[];
  /** Percentiles 1 to 99 of the successor's wait. */
  readonly waitSeconds: readonly number[];
  readonly now: EpochSeconds;
  /** Longest that it may hold its processors before its work. */
  readonly mostHoldSeconds: number;
  /** How many seconds of a gap one second of holding is worth, above 0; 1 unless told. */
  readonly holdPrice?: number;
}

/** When a successor is to be handed to its site, and what comes of that. */
export interface ChainPlan {
  readonly submitAt: EpochSeconds;
  /** How long it waits at its gate for its predecessor at most, before it gives up. */
  readonly gateSeconds: number;
  /**
   * Expected between the end of its predecessor and its start, and between its start and that end. Null where the
   * highest percentiles are not supported, so that there is no mean.
   */
  readonly gapSeconds: number | null;
  readonly holdSeconds: number | null;
}

/** Percentiles 1 to 99 of the moment at which a job will end, by how long it has run; not before now. */
export function endOf(predecessor: ForecastPredecessor, now: EpochSeconds): EpochSeconds[] {
  const { beganAt, runtime, wait, walltimeSeconds } = predecessor;
  if (beganAt !== null) {
    const { quantileSeconds } = runtimeSoFar(runtime, now - beganAt, walltimeSeconds);
    return quantileSeconds.map((seconds) => Math.max(now, beganAt + seconds));
  }
  const runs = runtime.quantileSeconds.map((seconds) => Math.min(seconds, walltimeSeconds));
  if (wait === null) return new Array<number>(QUANTILE_COUNT).fill(Number.POSITIVE_INFINITY);
  const sums = pairs(wait.quantileSeconds, runs, (waits, ran) => now + waits + ran);
  return Array.from({ length: QUANTILE_COUNT }, (_, index) => percentileOf(sums, (index + 1) / 100));
}

/**
 * The latest moment at which a successor is to be submitted, so that what it costs is least on average: the seconds
 * between its predecessor's end and its start, if that is later, and `holdPrice` times those that it holds its
 * processors, if it is earlier. Of all moments that is the one at which the wait that is left brings it in front of the
 * end with probability 1 / (1 + `holdPrice`): the problem of the news vendor. It comes no earlier than leaves at most
 * `GIVE_UP_RISK` that it holds for longer than it may. Null where too little is known of the end or the wait.
 */
export function planChain(question: ChainQuestion): ChainPlan | null {
  const { endAt, waitSeconds, now, mostHoldSeconds, holdPrice = 1 } = question;
  const leads = pairs(endAt, waitSeconds, (end, wait) => end - wait);
  const best = percentileOf(leads, holdPrice / (1 + holdPrice));
  const leastAt = percentileOf(leads, 1 - GIVE_UP_RISK) - mostHoldSeconds;
  if (!Number.isFinite(best) || !Number.isFinite(leastAt)) return null;
  const submitAt = Math.max(now, best, leastAt);
  const mean = (cost: (lead: number) => number) => {
    const seconds = leads.reduce((sum, lead) => sum + cost(lead), 0) / leads.length;
    return Number.isFinite(seconds) ? seconds : null;
  };
  const longest = percentileOf(leads, 1 - GIVE_UP_RISK / LONGER_GATE) - submitAt;
  return {
    submitAt,
    gateSeconds: Math.ceil(Math.min(mostHoldSeconds, Math.max(LEAST_GATE_SECONDS, longest))),
    gapSeconds: mean((lead) => Math.max(0, submitAt - lead)),
    holdSeconds: mean((lead) => Math.max(0, lead - submitAt)),
  };
}

/**
 * Longest that a successor holds its processors for its predecessor: as long as its own work may take, so that no
 * chain costs more than twice its work.
 */
export function mostHoldSeconds(walltimeSeconds: number, maxWalltimeSeconds: number | null): number {
  const room = (maxWalltimeSeconds ?? Number.POSITIVE_INFINITY) - walltimeSeconds;
  return Math.min(room, Math.max(LEAST_GATE_SECONDS, walltimeSeconds));
}

/** All that two quantities come to together that are independent, in rising order; each percentile is as likely. */
function pairs(
  some: readonly number[],
  others: readonly number[],
  together: (one: number, other: number) => number,
): Float64Array {
  const all = new Float64Array(some.length * others.length);
  let at = 0;
  for (const one of some) for (const other of others) all[at++] = Number.isFinite(one) ? together(one, other) : one;
  return all.sort();
}

function percentileOf(sorted: Float64Array, level: number): number {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(level * sorted.length) - 1));
  return sorted[index] ?? Number.POSITIVE_INFINITY;
}

/** Most probability that a successor has to give up waiting for its predecessor. */
const GIVE_UP_RISK = 0.05;
/** A gate is as long as leaves that part of it, where it may. */
const LONGER_GATE = 5;
/** No gate is worth less, for what is seen of jobs is some looks old. */
const LEAST_GATE_SECONDS = 600;
