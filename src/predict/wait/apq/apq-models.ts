import { dbscan } from '../../../stats/dbscan.ts';

/** The parameters of Table IV that choose and shape a model; distances are within [0, 1]. */
export interface ApqModelParameters {
  /** Share of the history, the closest, whose cluster structure is looked at (k %). */
  readonly closestShare: number;
  /** Mean distance of these beyond which neighbours are too far away (case A). */
  readonly farDistance: number;
  /** Share of outliers below which the structure is good (f). */
  readonly outlierShare: number;
  /** Radius of the clustering (epsilon). */
  readonly radius: number;
  /** Points within the radius that make a core (min. Pts). */
  readonly minPoints: number;
  /** Width of the windows of distance the standard deviation is minimised over. */
  readonly windowWidth: number;
  /** Windows begin no farther away than this (distance threshold). */
  readonly maxDistance: number;
  /** Maximum distance of the history jobs of the regression. */
  readonly regressionDistance: number;
  /** Neighbours of the weighted average. */
  readonly neighbours: number;
}

/** A past job by its distance to the target. */
export interface ApqNeighbour {
  /** Its row in the history. */
  readonly row: number;
  readonly distance: number;
  readonly waitSeconds: number;
}

/** Whether the closest jobs, nearest first, form dense clusters of like waits (cases A to C of section II-C). */
export function areClustered(closest: readonly ApqNeighbour[], parameters: ApqModelParameters): boolean {
  if (closest.length === 0) return false;
  const mean = closest.reduce((sum, { distance }) => sum + distance, 0) / closest.length;
  if (mean > parameters.farDistance) return false;
  const longest = closest.reduce((most, { waitSeconds }) => Math.max(most, waitSeconds), 1);
  const labels = dbscan(
    closest.map(({ distance }) => distance),
    closest.map(({ waitSeconds }) => waitSeconds / longest),
    parameters.radius,
    parameters.minPoints,
  );
  return labels.filter((label) => label < 0).length / labels.length < parameters.outlierShare;
}

/**
 * Standard deviation minimiser: of the windows of distance within the limit, the one whose waits vary least, averaged
 * with Gaussian weights. Ties go to the nearer window. Null when no window has `minPoints` jobs.
 * @param neighbours nearest first
 */
export function minimiseDeviation(neighbours: readonly ApqNeighbour[], parameters: ApqModelParameters): number | null {
  let best: { deviation: number; members: readonly ApqNeighbour[] } | null = null;
  let first = 0;
  for (let from = 0; from <= parameters.maxDistance; from += parameters.windowWidth) {
    let end = first;
    while (end < neighbours.length && (neighbours[end] as ApqNeighbour).distance < from + parameters.windowWidth) end++;
    const members = neighbours.slice(first, end);
    first = end;
    if (members.length < parameters.minPoints) continue;
    const deviation = deviationOf(members);
    if (best === null || deviation < best.deviation) best = { deviation, members };
  }
  return best && gaussianAverage(best.members);
}

/** Mean wait, weighted by e^(-d^2). */
export function gaussianAverage(neighbours: readonly ApqNeighbour[]): number {
  let [sum, weights] = [0, 0];
  for (const { distance, waitSeconds } of neighbours) {
    const weight = Math.exp(-distance * distance);
    sum += weight * waitSeconds;
    weights += weight;
  }
  return sum / weights;
}

function deviationOf(members: readonly ApqNeighbour[]): number {
  const mean = members.reduce((sum, { waitSeconds }) => sum + waitSeconds, 0) / members.length;
  return Math.sqrt(members.reduce((sum, { waitSeconds }) => sum + (waitSeconds - mean) ** 2, 0) / members.length);
}
