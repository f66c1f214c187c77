import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { EpochSeconds } from '../domain/clock.ts';
import type { Database } from '../store/database.ts';
import { listJobsOnTheWay } from '../store/on-the-way.ts';
import { listSiteProgress } from '../store/site-progress.ts';
import { findSite, readSnapshot } from '../store/sites.ts';
import {
  type Followed,
  type FollowedState,
  goingOnFrom,
  isBehind,
  isDue,
  isKept,
  isOutgrown,
  openedSite,
  stateOf,
} from './followed-site.ts';
import type { ForecasterState } from './forecaster.ts';
import { type SitesInMemory, sitesInMemory } from './kept-in-memory.ts';
import { OnTheWayReads } from './on-the-way-reads.ts';
import type { Asked } from './one-state.ts';
import { OwnUse } from './own-use.ts';
import type { SharedSites } from './shared-sites.ts';
import type { SiteView } from './site-view.ts';
import { SpentMemory } from './spent-memory.ts';
import { BATCH_RECORDS, type TellRecords, ToldRecords } from './told-records.ts';

/**
 * The models of all sites that were ever asked about, kept up with the store. A model that is younger than
 * `freshMilliseconds` answers as it is; an older one first reads what is new, once however many callers wait for it.
 */
export class LiveSites {
  private readonly sites = new Map<string, Followed>();
  private readonly records: ToldRecords;
  /** Sites live through their pasts one after the other. */
  private livingThrough: Promise<void> = Promise.resolve();
  private readonly ownUse: OwnUse;
  private readonly onTheWay: OnTheWayReads;
  /** Questions that wait for the store; the past is for the time when there are none. */
  private questions = 0;
  /** When which site was put away, in milliseconds of a monotonic clock. */
  private readonly putAwayAt = new Map<string, number>();
  private readonly spent = new SpentMemory();

  constructor(
    private readonly database: Database,
    /** A site of which nothing has been read. */
    private readonly unread: () => FollowedState,
    private readonly freshMilliseconds: number,
    /**
     * From when on pasts may be lived through, in milliseconds of a monotonic clock: a process that starts has more
     * urgent things to do.
     */
    private readonly learnsFrom = Number.NEGATIVE_INFINITY,
    /** Where sites are learned by one and read by others; null where this is the only one who learns them. */
    private readonly shared: SharedSites | null = null,
    /** Sites that are kept in memory; where they are learned by one, the others can come back from checkpoints. */
    private readonly mostSites = Number.POSITIVE_INFINITY,
    /** Tells where texts of jobs lie; nobody unless told. */
    embedded?: TellRecords,
  ) {
    this.records = new ToldRecords(database.db, embedded);
    this.ownUse = new OwnUse(database.db);
    this.onTheWay = new OnTheWayReads((asked) => listJobsOnTheWay(database.db, asked));
  }

  /**
   * The site once it is up to date, with our own jobs that are on their way there at a moment. Of one without records
   * nothing is known.
   */
  async siteFor(siteId: string, at: EpochSeconds): Promise<Asked<SiteView>> {
    const { site } = await this.upToDate(siteId);
    site.expect(await this.onTheWay.of(siteId, at), await this.ownUse.read());
    return site;
  }

  /**
   * Reads what is new of every site that is looked after here, so that none is found unwatched, or unknown, when it is
   * asked about. Those beyond as many as are kept in memory are put away.
   */
  async follow(): Promise<void> {
    const progress = await listSiteProgress(this.database.db);
    const { kept, visited } = this.inMemory(progress.map(({ siteId }) => siteId));
    const followed = new Set([...kept, ...(visited === null ? [] : [visited])]);
    for (const site of progress.filter(({ siteId }) => followed.has(siteId))) {
      const one = this.sites.get(site.siteId) ?? this.open(site.siteId);
      const ownerEpoch = this.shared?.owned.epochOf(site.siteId) ?? null;
      if (isBehind(one, site, ownerEpoch)) await this.refreshOnce(site.siteId, one);
      if (isDue(one)) await this.keep(site.siteId, one);
    }
    if (!this.shared) return;
    const stay = new Set(kept);
    for (const [siteId, one] of this.sites) if (!stay.has(siteId)) await this.putAway(siteId, one);
    this.spent.giveBack();
  }

  private inMemory(siteIds: readonly string[]): SitesInMemory {
    const { shared, sites, putAwayAt } = this;
    if (!shared) return { kept: siteIds, visited: null };
    const here = siteIds.filter((siteId) => shared.isHere(siteId));
    const known = here.map((siteId) => ({
      siteId,
      askedAt: sites.get(siteId)?.askedAt ?? null,
      isOwned: shared.owned.epochOf(siteId) !== null,
      putAwayAt: putAwayAt.get(siteId) ?? null,
    }));
    return sitesInMemory(known, this.mostSites, performance.now());
  }

  /** Drops a site that is not to be kept; what was learned of it since its checkpoint is kept first, by its owner. */
  private async putAway(siteId: string, followed: Followed): Promise<void> {
    if (isInUse(followed)) return;
    if (this.shared?.owned.epochOf(siteId) != null) {
      if (!isKept(followed)) await this.keep(siteId, followed);
      if (!isKept(followed) || isInUse(followed)) return;
    }
    followed.site.abandon();
    this.sites.delete(siteId);
    this.putAwayAt.set(siteId, performance.now());
  }

  /** Writes a checkpoint of a site, if this thread owns it. */
  private async keep(siteId: string, followed: Followed): Promise<void> {
    const { site, told, revision, observedAt, epoch: recordsEpoch, ownerEpoch: epoch, kept } = followed;
    if (!this.shared || epoch === null || !site.isWhole) return;
    // While news is read the site knows more than its revision says.
    if (followed.refreshing || recordsEpoch === null || this.shared.owned.epochOf(siteId) !== epoch) return;
    const at = performance.now();
    const number = await this.shared.checkpoints.save(siteId, site, { revision, recordsEpoch, epoch });
    if (number === null) return;
    const { livedRevision } = site;
    followed.kept = { number, told, observedAt, livedRevision, at };
    if (kept?.livedRevision !== livedRevision) await this.shared.owned.noteCost(siteId, site.livedSeconds);
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
    followed.askedAt = performance.now();
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
    const followed = openedSite(this.unread());
    this.sites.set(siteId, followed);
    return followed;
  }

  private refreshOnce(siteId: string, followed: Followed): Promise<void> {
    followed.refreshing ??= this.refresh(siteId, followed).finally(() => {
      followed.refreshing = null;
    });
    return followed.refreshing;
  }

  private async refresh(siteId: string, followed: Followed): Promise<void> {
    // Before the records: those that are taken away meanwhile are noticed the next time.
    const epoch = await this.records.epochOf(siteId);
    const ownerEpoch = this.shared?.owned.epochOf(siteId) ?? null;
    const state = await this.stateToGoOnFrom(siteId, followed, { recordsEpoch: epoch, ownerEpoch });
    const readRecords = await this.readNews(siteId, state);
    const { site } = state;
    // A history that is being imported is waited for.
    const mayLearn = performance.now() >= this.learnsFrom && readRecords < BATCH_RECORDS;
    if (!site.isToLiveThroughPast) followed.waitsSince = null;
    else if (mayLearn && this.isToLearn(siteId, followed)) {
      const records = await this.records.upTo(siteId, state.revision);
      const lived = site.liveThroughPast(records, this.livingThrough, () => this.giveWay(), state.revision);
      this.livingThrough = lived.then(() => this.spent.spend());
    }
    Object.assign(followed, state, { epoch, ownerEpoch, isRead: true, refreshedAt: performance.now() });
  }

  /**
   * What to go on from: what there is; nothing when records have been taken away; a checkpoint where one is needed, as
   * there is. What is returned is seen by nobody until all that is new has been taken in.
   */
  private async stateToGoOnFrom(
    siteId: string,
    followed: Followed,
    { recordsEpoch, ownerEpoch }: { readonly recordsEpoch: number; readonly ownerEpoch: number | null },
  ): Promise<FollowedState> {
    const isAnother = followed.epoch !== null && followed.epoch !== recordsEpoch;
    const isTaken = ownerEpoch !== null && ownerEpoch !== followed.ownerEpoch;
    const { site, isRead, kept } = followed;
    const isOld = ownerEpoch === null && isOutgrown(followed);
    const isWanted = !isRead || isAnother || isTaken || isOld || site.isToLiveThroughPast;
    if (this.shared && isWanted && site.model.watches) {
      const fresh = this.unread();
      const isToHoldMore = site.isToLiveThroughPast && !isAnother && !isTaken;
      const livedAfter = isToHoldMore ? site.livedRevision : null;
      const isWhole = isRead && !(isTaken && site.isFittedElsewhere);
      const wanted = { recordsEpoch, livedAfter, otherThan: isWhole ? (kept?.number ?? null) : null };
      const row = await this.shared.checkpoints.restore(siteId, fresh.site, wanted);
      if (row) {
        this.spent.spend();
        if (ownerEpoch === null) fresh.site.leaveFitsToOthers();
        return goingOnFrom(fresh, row);
      }
    }
    if (isAnother) return this.unread();
    if (site.isFittedElsewhere && (isTaken || this.shared?.checkpoints.isUnusable(siteId))) site.learnAgain();
    return followed;
  }

  /** Takes in what is new. @returns how many records that were */
  private async readNews(siteId: string, state: FollowedState): Promise<number> {
    const { db } = this.database;
    let readRecords = 0;
    for await (const records of this.records.after(siteId, state.revision)) {
      for (const record of records) state.site.learn(record);
      state.revision = records.at(-1)?.revision ?? state.revision;
      readRecords += records.length;
      state.told += records.length;
    }
    const observedAt = (await findSite(db, siteId))?.observedAt ?? null;
    if (readRecords >= BATCH_RECORDS) this.spent.spend();
    if (observedAt === state.observedAt) return readRecords;
    const snapshot = await readSnapshot(db, siteId);
    if (snapshot) state.site.observe(snapshot);
    state.observedAt = observedAt;
    return readRecords;
  }

  /** Others wait for the checkpoint of its owner, unless that is of no use to them or does not come. */
  private isToLearn(siteId: string, followed: Followed): boolean {
    if (this.shared === null || this.shared.owned.epochOf(siteId) !== null) return true;
    followed.waitsSince ??= performance.now();
    return this.shared.checkpoints.isUnusable(siteId) || performance.now() - followed.waitsSince > OWNER_MILLISECONDS;
  }

  private async giveWay(): Promise<void> {
    await setImmediate();
    while (this.questions > 0) await sleep(1);
  }
}

/** For how long a site's owner may take to learn it, where it is one of many. */
const OWNER_MILLISECONDS = 1_800_000;
function isInUse({ askedAt, refreshing }: Followed): boolean {
  return refreshing !== null || (askedAt !== null && performance.now() - askedAt < ASKED_MILLISECONDS);
}

/** A site that somebody asked about so lately is kept in any case. */
const ASKED_MILLISECONDS = 30_000;
