import { QUANTILE_COUNT } from '../domain/forecast.ts';
import { orderStatisticRank } from '../stats/order-statistic-rank.ts';

/** Confidence at which a bound is as often too low as too high. */
export const UNBIASED = 0.5;

/**
 * Ranks of the order statistics that bound the percentiles 1..99 of a sample with the given confidence, never
 * decreasing; null where the sample is too small for that level.
 * @param sampleSize number of values, at least 0
 * @param confidence within (0, 1)
 */
export function percentileRanks(sampleSize: number, confidence: number): readonly (number | null)[] {
  if (sampleSize > LARGEST_KEPT_SAMPLE) return computeRanks(sampleSize, confidence);
  const tables = keptTables(confidence);
  let ranks = tables.get(sampleSize);
  if (!ranks) {
    ranks = computeRanks(sampleSize, confidence);
    tables.set(sampleSize, ranks);
  }
  return ranks;
}

function computeRanks(sampleSize: number, confidence: number): readonly (number | null)[] {
  return Array.from({ length: QUANTILE_COUNT }, (_, i) => orderStatisticRank(sampleSize, (i + 1) / 100, confidence));
}

type RankTables = Map<number, readonly (number | null)[]>;

function keptTables(confidence: number): RankTables {
  let tables = tablesByConfidence.get(confidence);
  if (!tables) {
    tables = new Map();
    tablesByConfidence.set(confidence, tables);
  }
  return tables;
}

/**
 * Small samples need the exact binomial, which is worth keeping: the ranks depend on nothing but size and confidence.
 */
const LARGEST_KEPT_SAMPLE = 1000;
const tablesByConfidence = new Map<number, RankTables>();
