import type { SettingsByPredictor } from '../predict/settings.ts';
import type { Database } from '../store/database.ts';
import { readRecordsAfter } from '../store/records.ts';
import { findSite, readSnapshot } from '../store/sites.ts';
import type { ForecasterState } from './forecaster.ts';
import { SiteModel } from './site-model.ts';

const BATCH_RECORDS = 5000;

interface LiveSite {
  readonly model: SiteModel;
  revision: number;
  observedAt: number | null;
  /** Milliseconds of a monotonic clock. */
  refreshedAt: number;
  refreshing: Promise<void> | null;
}

/**
 * The models of all sites that were ever asked about, kept up with the store. A model that is younger than `freshMilliseconds`
 * answers as it is; an older one first reads what is new, once however many callers wait for it.
 */
export class LiveSites {
  private readonly sites = new Map<string, LiveSite>();

  constructor(
    private readonly database: Database,
    private readonly predictors: readonly string[],
    private readonly settings: SettingsByPredictor,
    private readonly freshMilliseconds: number,
  ) {}

  /** The site's model, up to date. A site without records has a model that has learned nothing. */
  async modelOf(siteId: string): Promise<SiteModel> {
    const site = this.sites.get(siteId) ?? this.open(siteId);
    if (performance.now() - site.refreshedAt > this.freshMilliseconds) {
      site.refreshing ??= this.refresh(siteId, site).finally(() => {
        site.refreshing = null;
      });
      await site.refreshing;
    }
    return site.model;
  }

  states(): ForecasterState[] {
    return [...this.sites].map(([siteId, { model, revision }]) => ({
      siteId,
      learnedWaits: model.learnedWaits,
      newestRevision: revision,
    }));
  }

  private open(siteId: string): LiveSite {
    const site = {
      model: new SiteModel(this.predictors, this.settings),
      revision: 0,
      observedAt: null,
      refreshedAt: Number.NEGATIVE_INFINITY,
      refreshing: null,
    };
    this.sites.set(siteId, site);
    return site;
  }

  private async refresh(siteId: string, site: LiveSite): Promise<void> {
    const { db } = this.database;
    for (;;) {
      const records = await readRecordsAfter(db, siteId, site.revision, BATCH_RECORDS);
      for (const record of records) site.model.learn(record);
      site.revision = records.at(-1)?.revision ?? site.revision;
      if (records.length < BATCH_RECORDS) break;
    }
    const observedAt = (await findSite(db, siteId))?.observedAt ?? null;
    if (observedAt !== site.observedAt) {
      const snapshot = await readSnapshot(db, siteId);
      if (snapshot) site.model.observe(snapshot);
      site.observedAt = observedAt;
    }
    site.refreshedAt = performance.now();
  }
}
