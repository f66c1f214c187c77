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

/** The sum of overlapping ranges as cells that do not, rising, without those of nothing. O(n log n). */
export function densityOf(spans: readonly WeightedSpan[]): Cell[] {
  const count = spans.length;
  const at = new Float64Array(2 * count);
  const change = new Float64Array(2 * count);
  spans.forEach(({ fromSeconds, toSeconds, probability }, i) => {
    const perSecond = probability / (toSeconds - fromSeconds);
    at[i] = fromSeconds;
    change[i] = perSecond;
    at[count + i] = toSeconds;
    change[count + i] = -perSecond;
  });
  const order = Uint32Array.from(at, (_, i) => i).sort((a, b) => (at[a] as number) - (at[b] as number));
  const cells: Cell[] = [];
  let perSecond = 0;
  for (let i = 0; i + 1 < order.length; i++) {
    perSecond = Math.max(0, perSecond + (change[order[i] as number] as number));
    const [fromSeconds, toSeconds] = [at[order[i] as number] as number, at[order[i + 1] as number] as number];
    if (toSeconds > fromSeconds && perSecond > NOTHING) cells.push({ fromSeconds, toSeconds, perSecond });
  }
  return cells;
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
