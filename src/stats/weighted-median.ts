/**
 * The smallest value at which the weights of the values up to it reach half of all weights. O(n log n).
 * @param values at least one
 * @param weights above 0, one to a value
 */
export function weightedMedian(values: Float64Array, weights: Float64Array): number {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => (values[a] as number) - (values[b] as number));
  let missing = 0;
  for (const weight of weights) missing += weight / 2;
  for (const i of order) {
    missing -= weights[i] as number;
    if (missing <= 0) return values[i] as number;
  }
  return values[order[order.length - 1] as number] as number;
}
