/** The end of a sentence about a name that there is not: up to three that may have been meant; empty without any. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const near = nearNames(wanted, names).slice(0, 3);
  return near.length > 0 ? `; did you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?` : '';
}

/**
 * Those of the names that somebody who wrote `wanted` may have meant: up to two letters off, whatever their case;
 * nearest first.
 */
function nearNames(wanted: string, names: readonly string[]): string[] {
  const distances = names.map((name) => ({ name, off: editDistance(wanted.toLowerCase(), name.toLowerCase()) }));
  return distances
    .filter(({ name, off }) => off <= Math.min(2, Math.floor(name.length / 2)))
    .sort((a, b) => a.off - b.off)
    .map(({ name }) => name);
}

/** Letters to be put in, taken out or exchanged to make one word of another (Levenshtein). */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...one].entries()) {
    const row = [i + 1];
    for (let j = 1; j <= other.length; j++) {
      const exchanged = (above[j - 1] ?? 0) + (letter === other[j - 1] ? 0 : 1);
      row.push(Math.min(exchanged, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above.at(-1) ?? 0;
}
