import type { Ask } from '../compare/told-execution.ts';

/** How often a site was looked at. */
export interface Looks {
  readonly site: string;
  readonly mostPerMinute: number;
  readonly meanPerMinute: number;
  readonly fault: string | null;
}

const SITES = 'query Sites { sites { name fault observations(last: 1000) { observedAt } } }';

interface ObservedSite {
  readonly name: string;
  readonly fault: string | null;
  readonly observations: readonly { readonly observedAt: string }[];
}

/** Looks a minute at every site since a moment, by the service's own observations. */
export async function countLooks(ask: Ask, sinceMilliseconds: number): Promise<Looks[]> {
  const { sites } = (await ask(SITES, {})) as { sites: readonly ObservedSite[] };
  return sites.map(({ name, fault, observations }) => {
    const moments = observations
      .map(({ observedAt }) => Date.parse(observedAt))
      .filter((at) => at >= sinceMilliseconds);
    const minutes = new Map<number, number>();
    for (const at of moments) {
      const minute = Math.floor((at - sinceMilliseconds) / 60_000);
      minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
    }
    const mostPerMinute = Math.max(0, ...minutes.values());
    const spanMinutes = Math.max(1, (Date.now() - sinceMilliseconds) / 60_000);
    return { site: name, mostPerMinute, meanPerMinute: moments.length / spanMinutes, fault };
  });
}
