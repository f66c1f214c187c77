import { aimedProbability, marginAfter, promisableProbability } from '../plan/aim.ts';
import type { Db } from '../store/database.ts';
import { listPromiseOutcomes } from '../store/reservations.ts';

/** How far above a promise of that probability to aim at one site, see `marginAfter`. */
export type Margins = (probability: number) => number;

/** The margins that the outcomes of a site's newest promises teach. */
export async function loadMargins(db: Db, siteId: string): Promise<Margins> {
  const outcomes = await listPromiseOutcomes(db, siteId, OUTCOMES_TO_LEARN_FROM);
  return (probability) => marginAfter(probability, outcomes);
}

/**
 * What a forecast probability is worth as a promise: `wanted` where it reaches the aim above it, else the highest
 * promise whose aim it reaches.
 */
export function worthAsPromise(forecast: number, wanted: number, margin: number): number {
  const promisable = promisableProbability(forecast, { probability: wanted, margin });
  return forecast >= aimedProbability(wanted, margin) ? Math.max(wanted, promisable) : promisable;
}

const OUTCOMES_TO_LEARN_FROM = 200;
