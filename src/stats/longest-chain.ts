/**
 * The longest subsequence of values, taken in their order, in which each is not below the one before and at most a
 * share above it; the first of several. Indices into `values`. O(n^2).
 * @param values not negative
 * @param largestStep by what share of itself a value may be exceeded by the next, for example 0.5
 */
export function longestChain(values: readonly number[], largestStep: number): number[] {
  const lengths: number[] = [];
  const before: number[] = [];
  values.forEach((value, i) => {
    lengths[i] = 1;
    before[i] = -1;
    for (let j = 0; j < i; j++) {
      const last = values[j] as number;
      const follows = value >= last && value <= last * (1 + largestStep);
      if (!follows || (lengths[j] as number) + 1 <= (lengths[i] as number)) continue;
      lengths[i] = (lengths[j] as number) + 1;
      before[i] = j;
    }
  });
  const chain: number[] = [];
  for (let i = lengths.indexOf(Math.max(...lengths, 0)); i >= 0; i = before[i] as number) chain.unshift(i);
  return chain;
}
