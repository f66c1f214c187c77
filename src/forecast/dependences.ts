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
}

/**
 * How the fortunes of sites go together, by how the waits came out that one predictor forecast at them in the last two
 * months. What was read of a site is good for some minutes, and so is what was measured on it.
 */
export class Dependences {
  private readonly sites = new Map<string, Loaded>();
  private readonly measured = new WeakMap<Outcomes, WeakMap<Outcomes, SiteDependence>>();

  constructor(
    private readonly database: Database,
    private readonly predictor: string,
    private readonly freshMilliseconds = FRESH_MILLISECONDS,
  ) {}

  /** Between any two of these sites. */
  async among(siteIds: readonly string[], now: EpochSeconds): Promise<DependenceOf> {
    const loaded = await Promise.all(siteIds.map(async (id) => [id, await this.outcomesAt(id, now)] as const));
    const outcomes = new Map(loaded);
    return (site, other) => this.measure(outcomes.get(site) ?? [], outcomes.get(other) ?? []);
  }

  private measure(a: Outcomes, b: Outcomes): SiteDependence {
    const known = this.measured.get(a) ?? new WeakMap<Outcomes, SiteDependence>();
    const dependence = known.get(b) ?? measureDependence(a, b);
    this.measured.set(a, known.set(b, dependence));
    return dependence;
  }

  private outcomesAt(siteId: string, now: EpochSeconds): Promise<Outcomes> {
    const known = this.sites.get(siteId);
    if (known && performance.now() - known.at < this.freshMilliseconds) return known.outcomes;
    const outcomes = this.load(siteId, now);
    this.sites.set(siteId, { at: performance.now(), outcomes });
    outcomes.catch(() => this.sites.delete(siteId));
    return outcomes;
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
