/** A Prometheus histogram: how many values were at most so large, by that bound. */
export type Histogram = ReadonlyMap<number, number>;

/** Reads a histogram out of a process's metrics, all labels together. */
export function readHistogram(metrics: string, name: string): Histogram {
  const counts = new Map<number, number>();
  const bucket = new RegExp(`^${name}_bucket\\{[^}]*le="([^"]+)"[^}]*\\} (\\d+)`, 'gm');
  for (const [, bound = '', count] of metrics.matchAll(bucket)) {
    const key = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    counts.set(key, (counts.get(key) ?? 0) + Number(count));
  }
  return counts;
}

/** What has come into a histogram since an earlier reading of it. */
export function sinceReading(now: Histogram, before: Histogram): Histogram {
  return new Map([...now].map(([bound, count]) => [bound, count - (before.get(bound) ?? 0)]));
}

/** The least bound that a share of the values keep to; NaN when there are none. */
export function quantileBound(histogram: Histogram, share: number): number {
  const total = countOf(histogram);
  const sorted = [...histogram].sort(([a], [b]) => a - b);
  return sorted.find(([, count]) => total > 0 && count >= share * total)?.[0] ?? Number.NaN;
}

/** How many values it holds. */
export function countOf(histogram: Histogram): number {
  return histogram.get(Number.POSITIVE_INFINITY) ?? 0;
}
