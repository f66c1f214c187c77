/**
 * Density-based clusters of points in the plane: entry i is the number of point i's cluster, from 0, or -1 for an
 * outlier. A point with at least `minPoints` points (itself included) within `radius` (the bound included) is a core;
 * cores within reach of each other share a cluster, and a border point belongs to the first cluster that reaches it.
 *
 * O(n^2). Source: Ester, Kriegel, Sander and Xu, A density-based algorithm for discovering clusters, KDD 1996.
 */
export function dbscan(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  radius: number,
  minPoints: number,
): Int32Array<ArrayBuffer> {
  const labels = new Int32Array(x.length).fill(UNSEEN);
  let cluster = 0;
  for (let point = 0; point < x.length; point++) {
    if (labels[point] !== UNSEEN) continue;
    const reach = within(x, y, point, radius);
    if (reach.length < minPoints) {
      labels[point] = OUTLIER;
      continue;
    }
    labels[point] = cluster;
    for (const next of reach) {
      if (labels[next] === OUTLIER) labels[next] = cluster;
      if (labels[next] !== UNSEEN) continue;
      labels[next] = cluster;
      const further = within(x, y, next, radius);
      if (further.length >= minPoints) reach.push(...further);
    }
    cluster++;
  }
  return labels;
}

function within(x: ArrayLike<number>, y: ArrayLike<number>, point: number, radius: number): number[] {
  const found: number[] = [];
  for (let other = 0; other < x.length; other++) {
    const dx = (x[other] as number) - (x[point] as number);
    const dy = (y[other] as number) - (y[point] as number);
    if (dx * dx + dy * dy <= radius * radius) found.push(other);
  }
  return found;
}

const OUTLIER = -1;
const UNSEEN = -2;
