import { partitionPoint } from '../domain/partition-point.ts';

/**
 * The share of a spread that is at most `value`, from 0 to .99. The spread is told by its percentiles 1 to 99, even
 * between two of them and from 0 to the first; beyond the last nothing is known, nor between a finite and an infinite
 * one.
 * @param percentiles non-negative, never falling, infinite where nothing is known
 */
export function shareWithin(percentiles: readonly number[], value: number): number {
  if (!(value >= 0)) return 0;
  const below = partitionPoint(percentiles.length, (index) => (percentiles[index] as number) <= value);
  const from = percentiles[below - 1] ?? 0;
  const to = percentiles[below] ?? Number.POSITIVE_INFINITY;
  const beyond = Number.isFinite(to) && to > from ? (value - from) / (to - from) : 0;
  return (below + beyond) / SLICES;
}

/**
 * The value that a share of such a spread does not exceed; infinite where nothing is known. @param share from 0 to 1
 */
export function valueAtShare(percentiles: readonly number[], share: number): number {
  const place = Math.max(0, share * SLICES);
  const below = Math.floor(place + ROUNDING);
  const beyond = place - below;
  const from = below === 0 ? 0 : (percentiles[below - 1] ?? Number.POSITIVE_INFINITY);
  if (beyond <= ROUNDING) return from;
  const to = percentiles[below] ?? Number.POSITIVE_INFINITY;
  return Number.isFinite(to) ? from + beyond * (to - from) : Number.POSITIVE_INFINITY;
}

const SLICES = 100;
const ROUNDING = 1e-9;
