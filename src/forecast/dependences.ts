import type { EpochSeconds } from '../domain/clock.ts';
import type { SiteDependence } from '../domain/dependence.ts';
import { DEPENDENCE_SPAN_SECONDS, type ForecastOutcome, latenessOf, measureDependence } from '../predict/dependence.ts';
import type { Database } from '../store/database.ts';
import { listForecastOutcomes } from '../store/forecast-outcomes.ts';

/** How two different sites depend on each other. */
export type DependenceOf = (siteId: string, otherSiteId: string) => SiteDependence;

type Outcomes = readonly ForecastOutcome[];

interface Loaded {
  /** Milliseconds of a monotonic clock. */
  readonly at: number;
  readonly outcomes: Promise<Outcomes>;
  /** Of this site and others, by the id of the other one, and when that was loaded. */
  readonly dependences: Map<string, { readonly at: number; readonly measured: SiteDependence }>;
}

/**
 * How the fortunes of sites go together, by how the waits came out that one predictor forecast at them in the last two
 * months. What was read of a site is good for some minutes, and so is what was measured on it.
 */
export class Dependences {
  private readonly sites = new Map<string, Loaded>();

  constructor(
    private readonly database: Database,
    private readonly predictor: string,
    private readonly freshMilliseconds = FRESH_MILLISECONDS,
  ) {}

  /** Between any two of these sites. */
  async among(siteIds: readonly string[], now: EpochSeconds): Promise<DependenceOf> {
    const loaded = new Map(siteIds.map((id) => [id, this.loadedOf(id, now)] as const));
    const outcomes = new Map(
      await Promise.all([...loaded].map(async ([id, site]) => [id, await site.outcomes] as const)),
    );
    return (id, otherId) => {
      const [site, other] = [loaded.get(id), loaded.get(otherId)];
      const measure = () => measureDependence(outcomes.get(id) ?? [], outcomes.get(otherId) ?? []);
      if (!site || !other) return measure();
      const known = site.dependences.get(otherId);
      const measured = known?.at === other.at ? known.measured : measure();
      site.dependences.set(otherId, { at: other.at, measured });
      return measured;
    };
  }

  private loadedOf(siteId: string, now: EpochSeconds): Loaded {
    const known = this.sites.get(siteId);
    if (known && performance.now() - known.at < this.freshMilliseconds) return known;
    const loaded = { at: performance.now(), outcomes: this.load(siteId, now), dependences: new Map() };
    this.sites.set(siteId, loaded);
    loaded.outcomes.catch(() => this.sites.delete(siteId));
    return loaded;
  }

  private async load(siteId: string, now: EpochSeconds): Promise<Outcomes> {
    const lately = { now, spanSeconds: DEPENDENCE_SPAN_SECONDS, spans: SPANS, most: MOST_PER_SPAN };
    const rows = await listForecastOutcomes(this.database.db, { siteId, predictor: this.predictor }, lately);
    return rows.flatMap(({ submittedAt, waitSeconds, leadSeconds, quantileSeconds }) => {
      const lateness = latenessOf({ quantileSeconds }, waitSeconds, leadSeconds);
      return lateness === null ? [] : [{ at: submittedAt, lateness }];
    });
  }
}

const FRESH_MILLISECONDS = 300_000;
/** Two months. */
const SPANS = 240;
const MOST_PER_SPAN = 8;
