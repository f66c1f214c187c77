import { normalQuantile } from './normal-quantile.ts';

/**
 * How many values in a row must exceed a quantile before it is a rare event, not chance: the smallest r such that, once
 * one value exceeds it, the probability that the r - 1 next ones do too is at most `rareness`. Values are modelled as a
 * stationary Gaussian series whose neighbours correlate by `autocorrelation`.
 *
 * Method: the density of the current value, given a run so far, is carried on from step to step on a grid above the
 * quantile. Three in a row for independent values at the .95 quantile. Source: the rule is that of Brevik, Nurmi and
 * Wolski, Predicting bounds on queuing delay, PPoPP 2006, section 4.1, who tabulate it by simulation.
 * @param autocorrelation at lag 1; negative counts as 0 and the largest used is 0.95
 * @param quantile that is exceeded, within (0, 1)
 * @param rareness within (0, 1)
 */
export function exceedanceRunLength(autocorrelation: number, quantile: number, rareness: number): number {
  const rho = Math.min(0.95, Math.max(0, autocorrelation));
  const grid = gridAbove(normalQuantile(quantile));
  const kernel = transitionKernel(grid, rho);
  let density = normalise(grid.points.map((x) => Math.exp((-x * x) / 2)));
  let runProbability = 1;
  for (let length = 1; length < LONGEST_RUN; length++) {
    if (runProbability <= rareness) return length;
    const next = step(density, kernel);
    const staying = next.reduce((sum, mass) => sum + mass, 0);
    runProbability *= staying;
    density = normalise(next);
  }
  return LONGEST_RUN;
}

interface Grid {
  readonly points: readonly number[];
  readonly width: number;
}

function gridAbove(threshold: number): Grid {
  const width = (Math.max(threshold, 0) + 6 - threshold) / GRID_POINTS;
  return { points: Array.from({ length: GRID_POINTS }, (_, i) => threshold + (i + 0.5) * width), width };
}

/** Row x, column y: probability of going from point x to the cell around point y. */
function transitionKernel(grid: Grid, rho: number): Float64Array[] {
  const deviation = Math.sqrt(1 - rho * rho);
  const scale = grid.width / (deviation * Math.sqrt(2 * Math.PI));
  return grid.points.map((x) =>
    Float64Array.from(grid.points, (y) => scale * Math.exp(-(((y - rho * x) / deviation) ** 2) / 2)),
  );
}

function step(density: readonly number[], kernel: readonly Float64Array[]): number[] {
  const next = new Array<number>(density.length).fill(0);
  kernel.forEach((row, x) => {
    const mass = density[x] as number;
    for (let y = 0; y < row.length; y++) next[y] = (next[y] as number) + mass * (row[y] as number);
  });
  return next;
}

function normalise(masses: readonly number[]): number[] {
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  return masses.map((mass) => mass / total);
}

const GRID_POINTS = 240;
const LONGEST_RUN = 100;
