/**
 * The non-decreasing sequence that is nearest to a given one in the sum of squares: neighbours that fall are replaced
 * by their mean, until none do (pool adjacent violators). O(n).
 * Source: Barlow, Bartholomew, Bremner and Brunk, Statistical inference under order restrictions, 1972, section 1.2.
 */
export function isotonic(values: Float64Array): Float64Array {
  const sums: number[] = [];
  const counts: number[] = [];
  for (const value of values) {
    let [sum, count] = [value, 1];
    while (sums.length > 0 && (sums.at(-1) as number) / (counts.at(-1) as number) > sum / count) {
      sum += sums.pop() as number;
      count += counts.pop() as number;
    }
    sums.push(sum);
    counts.push(count);
  }
  const fitted = new Float64Array(values.length);
  let from = 0;
  sums.forEach((sum, block) => {
    const to = from + (counts[block] as number);
    fitted.fill(sum / (counts[block] as number), from, to);
    from = to;
  });
  return fitted;
}
