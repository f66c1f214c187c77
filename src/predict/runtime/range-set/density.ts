import type { RuntimeRange } from '../../../domain/forecast.ts';

/** Runtimes from one to another, and the probability of each second between them. */
export interface Cell {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly perSecond: number;
}

/** A range that a runtime is expected in, even over its length. */
export interface WeightedSpan {
  readonly fromSeconds: number;
  readonly toSeconds: number;
  readonly probability: number;
}

/** Where a density changes, rising, and by how much. */
export interface Edges {
  readonly at: Float64Array;
  readonly change: Float64Array;
}

/**
 * The density that changes at all of the edges, as cells, rising, without those of nothing. O(edges x lanes).
 * @param lanes each rising by itself
 */
export function densityOf(lanes: readonly Edges[]): Cell[] {
  const next = new Int32Array(lanes.length);
  const cells: Cell[] = [];
  let [perSecond, fromSeconds] = [0, 0];
  for (let lane = lowest(lanes, next); lane >= 0; lane = lowest(lanes, next)) {
    const { at, change } = lanes[lane] as Edges;
    const edge = next[lane] as number;
    const toSeconds = at[edge] as number;
    if (toSeconds > fromSeconds && perSecond > NOTHING) cells.push({ fromSeconds, toSeconds, perSecond });
    perSecond = Math.max(0, perSecond + (change[edge] as number));
    fromSeconds = toSeconds;
    next[lane] = edge + 1;
  }
  return cells;
}

/** The lane whose next edge comes first; -1 when none is left. */
function lowest(lanes: readonly Edges[], next: Int32Array): number {
  let [first, firstAt] = [-1, Number.POSITIVE_INFINITY];
  for (let lane = 0; lane < lanes.length; lane++) {
    const at = (lanes[lane] as Edges).at[next[lane] as number];
    if (at === undefined || at >= firstAt) continue;
    first = lane;
    firstAt = at;
  }
  return first;
}

/**
 * One density of two, high where both are: mostly the first, times a root of the second, which counts as a little
 * everywhere. It is 1 in all, as both are. O(cells).
 * Source: Genest and Zidek, Combining probability distributions, Statistical Science 1 (1986), section 3 (logarithmic
 * pools).
 * @param everywhere of the second, per second
 */
export function pooled(first: readonly Cell[], second: readonly Cell[], everywhere: number): Cell[] {
  const cells: Cell[] = [];
  let [i, j, fromSeconds, total] = [0, 0, 0, 0];
  while (i < first.length || j < second.length) {
    const [a, b] = [overlap(first[i], fromSeconds), overlap(second[j], fromSeconds)];
    const toSeconds = Math.min(a.untilSeconds, b.untilSeconds);
    const mixed = FIRST_SHARE * a.perSecond + (1 - FIRST_SHARE) * b.perSecond;
    const perSecond = mixed * (b.perSecond + everywhere) ** SECOND_POWER;
    if (perSecond > 0) cells.push({ fromSeconds, toSeconds, perSecond });
    total += perSecond * (toSeconds - fromSeconds);
    fromSeconds = toSeconds;
    if (first[i]?.toSeconds === toSeconds) i++;
    if (second[j]?.toSeconds === toSeconds) j++;
  }
  return cells.map((cell) => ({ ...cell, perSecond: cell.perSecond / total }));
}

/** How dense it is from a moment on, and until when: within the cell, or before it. */
function overlap(cell: Cell | undefined, at: number): { readonly perSecond: number; readonly untilSeconds: number } {
  if (!cell) return { perSecond: 0, untilSeconds: Number.POSITIVE_INFINITY };
  const isWithin = cell.fromSeconds <= at;
  return isWithin
    ? { perSecond: cell.perSecond, untilSeconds: cell.toSeconds }
    : { perSecond: 0, untilSeconds: cell.fromSeconds };
}

/** The cells of at least a density, neighbours put together. */
export function denseRanges(cells: readonly Cell[], leastPerSecond: number): WeightedSpan[] {
  const ranges: { fromSeconds: number; toSeconds: number; probability: number }[] = [];
  for (const { fromSeconds, toSeconds, perSecond } of cells) {
    if (perSecond < leastPerSecond) continue;
    const last = ranges.at(-1);
    const probability = perSecond * (toSeconds - fromSeconds);
    if (last?.toSeconds === fromSeconds) {
      last.toSeconds = toSeconds;
      last.probability += probability;
    } else ranges.push({ fromSeconds, toSeconds, probability });
  }
  return ranges;
}

/** The most probable ranges, rising, with probabilities that are 1 together. */
export function mostProbable(ranges: readonly WeightedSpan[]): RuntimeRange[] {
  const kept = [...ranges].sort((a, b) => b.probability - a.probability).slice(0, MOST_RANGES);
  const total = kept.reduce((sum, { probability }) => sum + probability, 0);
  return kept
    .sort((a, b) => a.fromSeconds - b.fromSeconds)
    .map((range) => ({ ...range, probability: range.probability / total }));
}

/** Ranges around the same middles, none longer than so many seconds. */
export function shortened(ranges: readonly WeightedSpan[], longestSeconds: number): WeightedSpan[] {
  return ranges.map(({ fromSeconds, toSeconds, probability }) => {
    const middle = (fromSeconds + toSeconds) / 2;
    const reach = Math.min(toSeconds - fromSeconds, longestSeconds) / 2;
    return { fromSeconds: middle - reach, toSeconds: middle + reach, probability };
  });
}

/**
 * The percentiles of what cells tell; even within a cell.
 * @param levels rising, within (0, 1)
 */
export function quantilesOf(cells: readonly Cell[], levels: readonly number[]): number[] {
  const total = cells.reduce(
    (sum, { fromSeconds, toSeconds, perSecond }) => sum + perSecond * (toSeconds - fromSeconds),
    0,
  );
  let index = 0;
  let before = 0;
  return levels.map((level) => {
    let cell = cells[index] as Cell;
    let mass = cell.perSecond * (cell.toSeconds - cell.fromSeconds);
    while (before + mass < level * total && index < cells.length - 1) {
      before += mass;
      cell = cells[++index] as Cell;
      mass = cell.perSecond * (cell.toSeconds - cell.fromSeconds);
    }
    return Math.min(cell.toSeconds, cell.fromSeconds + Math.max(0, level * total - before) / cell.perSecond);
  });
}

/** Less than this per second is left over by sums. */
const NOTHING = 1e-15;
/** Of one forecast, as in hariharan-end-to-end-predictions, section III-F. */
const MOST_RANGES = 25;
/** Tuned on jobs 14,000 to 19,999 of SDSC-SP2. */
const FIRST_SHARE = 0.8;
const SECOND_POWER = 0.4;
