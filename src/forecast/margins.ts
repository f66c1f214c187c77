import { aimedProbability, legMarginAfter, marginAfter, promisableProbability } from '../plan/aim.ts';
import type { Db } from '../store/database.ts';
import { listPromiseOutcomes } from '../store/reservations.ts';

/** How far above promises to aim at one site, by their probability. */
export interface Margins {
  /** A promise by itself, see `marginAfter`. */
  alone(probability: number): number;
  /** A leg of a co-allocation, see `legMarginAfter`. */
  ofLeg(probability: number): number;
}

/** The margins that the outcomes of a site's newest promises teach. */
export async function loadMargins(db: Db, siteId: string): Promise<Margins> {
  const outcomes = await listPromiseOutcomes(db, siteId, OUTCOMES_TO_LEARN_FROM);
  return {
    alone: (probability) => marginAfter(probability, outcomes),
    ofLeg: (probability) => legMarginAfter(probability, outcomes),
  };
}

/**
 * What a forecast probability is worth as a promise: `wanted` where it reaches the aim above it, else the highest
 * promise whose aim it reaches.
 */
export function worthAsPromise(
  forecast: number,
  wanted: number,
  margin: number,
  aim = aimedProbability(wanted, margin),
): number {
  const promisable = promisableProbability(forecast, { probability: wanted, margin });
  return forecast >= aim ? Math.max(wanted, promisable) : promisable;
}

const OUTCOMES_TO_LEARN_FROM = 200;
