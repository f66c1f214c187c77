/** The site of every leg, in the order of the legs. */
export type Assignment = readonly string[];

/**
 * The ways to give every leg a site of its own out of those that suit it, at most `limit` of them. They come in the order of
 * the legs' preferences: the first gives the first leg its first choice. Empty when the sites do not suffice.
 * @param choices per leg, the ids of the suitable sites, best first
 */
export function assignLegs(choices: readonly (readonly string[])[], limit: number): Assignment[] {
  const found: Assignment[] = [];
  const taken: string[] = [];
  const descend = (leg: number): void => {
    const sites = choices[leg];
    if (!sites) {
      found.push([...taken]);
      return;
    }
    for (const site of sites) {
      if (found.length >= limit) return;
      if (taken.includes(site)) continue;
      taken.push(site);
      descend(leg + 1);
      taken.pop();
    }
  };
  if (choices.length > 0) descend(0);
  return found;
}
