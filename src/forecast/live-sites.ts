import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { EpochSeconds } from '../domain/clock.ts';
import type { JobRecord } from '../domain/job.ts';
import type { SettingsByPredictor } from '../predict/settings.ts';
import type { Database } from '../store/database.ts';
import { listJobsOnTheWay } from '../store/on-the-way.ts';
import { listEndedWork } from '../store/own-work.ts';
import { findSite, listSites, readSnapshot } from '../store/sites.ts';
import type { FollowedPredictors } from './followed-quantity.ts';
import type { ForecasterState } from './forecaster.ts';
import { LiveSite } from './live-site.ts';
import type { Asked } from './one-state.ts';
import { SiteModel } from './site-model.ts';
import type { SiteView } from './site-view.ts';
import { BATCH_RECORDS, ToldRecords } from './told-records.ts';
import { JOBS_TO_LEARN_FROM, ownWalltimeShares, type WalltimeShares } from './walltime-use.ts';

const OWN_USE_FRESH_MILLISECONDS = 10_000;

interface Followed {
  site: LiveSite;
  revision: number;
  /** As it was when the records were first read; records have been taken away once it is another one. */
  epoch: number | null;
  observedAt: number | null;
  /** Whether all that was there has been taken in once. */
  isRead: boolean;
  /** Milliseconds of a monotonic clock. */
  refreshedAt: number;
  refreshing: Promise<void> | null;
}

/**
 * The models of all sites that were ever asked about, kept up with the store. A model that is younger than
 * `freshMilliseconds` answers as it is; an older one first reads what is new, once however many callers wait for it.
 */
export class LiveSites {
  private readonly sites = new Map<string, Followed>();
  private readonly records: ToldRecords;
  /** Sites live through their pasts one after the other. */
  private livingThrough: Promise<void> = Promise.resolve();
  private ownUse: { readonly readAt: number; readonly shares: WalltimeShares | null } = {
    readAt: Number.NEGATIVE_INFINITY,
    shares: null,
  };
  /** Questions that wait for the store; the past is for the time when there are none. */
  private questions = 0;

  constructor(
    private readonly database: Database,
    private readonly followed: FollowedPredictors,
    private readonly settings: SettingsByPredictor,
    private readonly freshMilliseconds: number,
    /**
     * From when on pasts may be lived through, in milliseconds of a monotonic clock: a process that starts has more
     * urgent things to do.
     */
    private readonly learnsFrom = Number.NEGATIVE_INFINITY,
  ) {
    this.records = new ToldRecords(database.db);
  }

  /**
   * The site once it is up to date, with our own jobs that are on their way there at a moment. Of one without records
   * nothing is known.
   */
  async siteFor(siteId: string, at: EpochSeconds): Promise<Asked<SiteView>> {
    const { site } = await this.upToDate(siteId);
    site.expect(await listJobsOnTheWay(this.database.db, siteId, at), await this.ownShares());
    return site;
  }

  /** What our own work uses of its walltimes, read anew at times. */
  private async ownShares(): Promise<WalltimeShares | null> {
    const now = performance.now();
    if (now - this.ownUse.readAt > OWN_USE_FRESH_MILLISECONDS) {
      this.ownUse = { readAt: now, shares: this.ownUse.shares };
      this.ownUse = {
        readAt: now,
        shares: ownWalltimeShares(await listEndedWork(this.database.db, JOBS_TO_LEARN_FROM)),
      };
    }
    return this.ownUse.shares;
  }

  /** Reads what is new of every site there is, so that none is found unwatched, or unknown, when it is asked about. */
  async follow(): Promise<void> {
    for (const { id } of await listSites(this.database.db)) {
      await this.refreshOnce(id, this.sites.get(id) ?? this.open(id));
    }
  }

  states(): ForecasterState[] {
    return [...this.sites].map(([siteId, followed]) => stateOf(siteId, followed));
  }

  /** What one site's model is, once it is up to date. */
  async stateOf(siteId: string): Promise<ForecasterState> {
    return stateOf(siteId, await this.upToDate(siteId));
  }

  private async upToDate(siteId: string): Promise<Followed> {
    const followed = this.sites.get(siteId) ?? this.open(siteId);
    if (performance.now() - followed.refreshedAt <= this.freshMilliseconds) return followed;
    this.questions++;
    try {
      await this.refreshOnce(siteId, followed);
    } finally {
      this.questions--;
    }
    return followed;
  }

  private open(siteId: string): Followed {
    const followed = {
      ...this.unread(),
      refreshedAt: Number.NEGATIVE_INFINITY,
      refreshing: null,
    };
    this.sites.set(siteId, followed);
    return followed;
  }

  /** A site of which nothing has been read. */
  private unread(): Pick<Followed, 'site' | 'revision' | 'epoch' | 'observedAt' | 'isRead'> {
    const site = new LiveSite(() => new SiteModel(this.followed, this.settings));
    return { site, revision: 0, epoch: null, observedAt: null, isRead: false };
  }

  private refreshOnce(siteId: string, followed: Followed): Promise<void> {
    followed.refreshing ??= this.refresh(siteId, followed).finally(() => {
      followed.refreshing = null;
    });
    return followed.refreshing;
  }

  private async refresh(siteId: string, followed: Followed): Promise<void> {
    const { db } = this.database;
    // Before the records: those that are taken away meanwhile are noticed the next time.
    const epoch = await this.records.epochOf(siteId);
    if (followed.epoch !== null && followed.epoch !== epoch) Object.assign(followed, this.unread());
    followed.epoch = epoch;
    const { site } = followed;
    let readRecords = 0;
    for await (const records of this.records.after(siteId, followed.revision)) {
      for (const record of records) site.learn(record);
      followed.revision = records.at(-1)?.revision ?? followed.revision;
      readRecords += records.length;
    }
    const observedAt = (await findSite(db, siteId))?.observedAt ?? null;
    if (observedAt !== followed.observedAt) {
      const snapshot = await readSnapshot(db, siteId);
      if (snapshot) site.observe(snapshot);
      followed.observedAt = observedAt;
    }
    // A history that is being imported is waited for.
    const mayLearn = performance.now() >= this.learnsFrom;
    if (mayLearn && site.isToLiveThroughPast && readRecords < BATCH_RECORDS) {
      const records = await this.recordsUpTo(siteId, followed.revision);
      this.livingThrough = site.liveThroughPast(records, this.livingThrough, () => this.giveWay());
    }
    followed.isRead = true;
    followed.refreshedAt = performance.now();
  }

  private async giveWay(): Promise<void> {
    await setImmediate();
    while (this.questions > 0) await sleep(1);
  }

  private async recordsUpTo(siteId: string, revision: number): Promise<JobRecord[]> {
    const all: JobRecord[] = [];
    for await (const records of this.records.after(siteId, 0)) {
      for (const record of records) if (record.revision <= revision) all.push(record);
    }
    return all;
  }
}

function stateOf(siteId: string, { site, isRead }: Followed): ForecasterState {
  return { siteId, learnedWaits: site.model.learnedWaits, isLearning: site.isLearning || !isRead };
}
