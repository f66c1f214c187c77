import type { EpochSeconds } from '../domain/clock.ts';
import type { Database } from '../store/database.ts';
import { listComingWork } from '../store/on-the-way.ts';
import { listSiteProgress, readOtherSnapshot, type SiteProgress } from '../store/site-progress.ts';
import { ComingWorkReads } from './coming-work-reads.ts';
import {
  type Followed,
  type FollowedState,
  goingOnFrom,
  isBehind,
  isDue,
  isInUse,
  isKept,
  isOutgrown,
  openedSite,
  stateOf,
} from './followed-site.ts';
import type { Asked } from './one-state.ts';
import { OwnUse } from './own-use.ts';
import { PastsInTurn } from './pasts-in-turn.ts';
import { RestoredSites } from './restored-sites.ts';
import type { SharedSites } from './shared-sites.ts';
import type { SiteView } from './site-view.ts';
import { SitesAway } from './sites-away.ts';
import { SpentMemory } from './spent-memory.ts';
import { BATCH_RECORDS, type TellRecords, ToldRecords } from './told-records.ts';

/**
 * The models of all sites that were ever asked about, kept up with the store. A model that is younger than
 * `freshMilliseconds` answers as it is; an older one first reads what is new, once however many callers wait for it.
 */
export class LiveSites {
  private readonly sites = new Map<string, Followed>();
  private readonly records: ToldRecords;
  private readonly pasts: PastsInTurn;
  private readonly restored: RestoredSites | null;
  private readonly ownUse: OwnUse;
  private readonly coming: ComingWorkReads;
  /** Questions that wait for the store; the past is for the time when there are none. */
  private questions = 0;
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
    /** What is kept in memory; where sites are learned by one, the others can come back from checkpoints. */
    private readonly away = new SitesAway(),
    /** Tells where texts of jobs lie; nobody unless told. */
    embedded?: TellRecords,
    /** Whether answers are being computed on this thread. */
    computing: { readonly isBusy: boolean } = { isBusy: false },
  ) {
    this.records = new ToldRecords(database.db, embedded);
    this.ownUse = new OwnUse(database.db);
    this.coming = new ComingWorkReads((asked) => listComingWork(database.db, asked));
    const isAsked = () => this.questions > 0 || computing.isBusy;
    this.pasts = new PastsInTurn((siteId, giveWay) => this.liveThrough(siteId, giveWay), isAsked);
    this.restored = shared && new RestoredSites(shared.checkpoints, unread, isAsked);
  }

  /**
   * The site once it is up to date, with our own work that is coming to it at a moment. Of one without records
   * nothing is known.
   */
  async siteFor(siteId: string, at: EpochSeconds): Promise<Asked<SiteView>> {
    const { site } = await this.upToDate(siteId);
    site.expect(await this.coming.of(siteId, at), await this.ownUse.read());
    return site;
  }

  /**
   * Reads what is new of every site that is learned here or was asked about, so that none is found unwatched, or
   * unknown, when it is asked about. Those beyond what is kept in memory are put away. While one lives through its past
   * no other is taken in that may have to, too: they would all be held until their turns.
   */
  async follow(): Promise<void> {
    const startedAt = performance.now();
    const progress = await listSiteProgress(this.database.db);
    const { kept, visited } = await this.inMemory(progress.map(({ siteId }) => siteId));
    const followed = new Set([...kept, ...(visited === null ? [] : [visited])]);
    for (const site of progress.filter(({ siteId }) => followed.has(siteId))) {
      const one = this.sites.get(site.siteId) ?? this.openToFollow(site, site.siteId === visited);
      if (!one) continue;
      const ownerEpoch = this.shared?.owned.epochOf(site.siteId) ?? null;
      if (isBehind(one, site, ownerEpoch)) await this.refreshOnce(site.siteId, one, site);
      const isFaulty = this.shared?.owned.isFaulty(site.siteId) ?? false;
      if (isDue(one, isFaulty)) await this.keep(site.siteId, one);
    }
    if (!this.shared) return;
    const stay = new Set(kept);
    for (const [siteId, one] of this.sites) if (!stay.has(siteId)) await this.putAway(siteId, one);
    if (visited !== null) this.away.visited(startedAt);
    this.spent.giveBack();
  }

  private async inMemory(siteIds: readonly string[]) {
    const { shared, sites } = this;
    if (!shared) return { kept: siteIds, visited: null };
    const here = siteIds.filter((siteId) => shared.isHere(siteId));
    const uses = here.map((siteId) => ({
      siteId,
      askedAt: sites.get(siteId)?.askedAt ?? null,
      isOwned: shared.owned.epochOf(siteId) !== null,
      bytes: sites.get(siteId)?.kept?.bytes ?? 0,
    }));
    return this.away.choose(uses, this.isLearning);
  }

  /** Whether the past of a site that is learned here is being lived through, or soon will be. */
  private get isLearning(): boolean {
    return [...this.sites.values()].some(({ site, ownerEpoch }) => {
      return site.isLearning && (this.shared === null || ownerEpoch !== null);
    });
  }

  /**
   * Drops a site that is not to be kept; what was learned of it since its checkpoint is kept first, by its owner. Of
   * one that waits to live through its past nothing is lost.
   */
  private async putAway(siteId: string, followed: Followed): Promise<void> {
    if (isInUse(followed)) return;
    const isOwned = this.shared?.owned.epochOf(siteId) != null;
    if (isOwned && this.pasts.hasTurn(siteId)) return;
    const isToBeLearned = followed.site.isToLiveThroughPast;
    if (isOwned && !isToBeLearned) {
      if (!isKept(followed)) await this.keep(siteId, followed);
      if (!isKept(followed) || isInUse(followed)) return;
    }
    followed.site.abandon();
    this.pasts.forget(siteId);
    this.restored?.forget(siteId);
    this.sites.delete(siteId);
    if (isToBeLearned) return;
    this.away.putAway(siteId, followed.kept?.bytes ?? 0);
  }

  /** Writes a checkpoint of a site, if this thread owns it. */
  private async keep(siteId: string, followed: Followed): Promise<void> {
    const { site, told, revision, observedAt, epoch: recordsEpoch, ownerEpoch: epoch, kept } = followed;
    if (!this.shared || epoch === null || !site.isWhole) return;
    // While news is read the site knows more than its revision says.
    if (followed.refreshing || recordsEpoch === null || this.shared.owned.epochOf(siteId) !== epoch) return;
    const at = performance.now();
    const inPlaceOfFaulty = this.shared.owned.isFaulty(siteId);
    const written = await this.shared.checkpoints.save(siteId, site, { revision, recordsEpoch, epoch });
    if (written === null) return;
    const { livedRevision } = site;
    followed.kept = { ...written, told, observedAt, livedRevision, at, inPlaceOfFaulty };
    if (kept?.livedRevision !== livedRevision) await this.shared.owned.noteCost(siteId, site.livedSeconds);
  }

  states() {
    return [...this.sites].map(([siteId, followed]) => stateOf(siteId, followed));
  }

  /** Waits for checkpoints that are still being restored. */
  async close(): Promise<void> {
    await this.restored?.close();
  }

  /** What one site's model is, once it is up to date. */
  async stateOf(siteId: string) {
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

  /** Null for one that has to wait: until it has been observed, while another one is learned, and for a place. */
  private openToFollow({ siteId, observedAt }: SiteProgress, isVisited: boolean): Followed | null {
    if (observedAt === null || (this.isLearning && !this.away.has(siteId))) return null;
    if (!isVisited && this.shared && this.away.isFull(this.sites.values())) return null;
    return this.open(siteId);
  }

  /** @param progress how far the site had come a moment ago, where that is known */
  private refreshOnce(siteId: string, followed: Followed, progress: SiteProgress | null = null): Promise<void> {
    followed.refreshing ??= this.refresh(siteId, followed, progress).finally(() => {
      followed.refreshing = null;
    });
    return followed.refreshing;
  }

  private async refresh(siteId: string, followed: Followed, progress: SiteProgress | null): Promise<void> {
    // Before the records: those that are taken away meanwhile are noticed the next time.
    const epoch = progress?.recordsEpoch ?? (await this.records.epochOf(siteId));
    const ownerEpoch = this.shared?.owned.epochOf(siteId) ?? null;
    const state = await this.stateToGoOnFrom(siteId, followed, { recordsEpoch: epoch, ownerEpoch });
    const readRecords = await this.readNews(siteId, state, progress?.revision);
    // A history that is being imported is waited for.
    const mayLearn = performance.now() >= this.learnsFrom && readRecords < BATCH_RECORDS;
    if (!state.site.isToLiveThroughPast) followed.waitsSince = null;
    else if (mayLearn && this.isToLearn(siteId, followed)) this.pasts.want(siteId);
    Object.assign(followed, state, { epoch, ownerEpoch, isRead: true, refreshedAt: performance.now() });
  }

  /**
   * What to go on from: what there is; nothing when records have been taken away; a checkpoint where one is needed, or
   * a newer one that was restored beside. What is returned is seen by nobody until all that is new has been taken in.
   */
  private async stateToGoOnFrom(
    siteId: string,
    followed: Followed,
    { recordsEpoch, ownerEpoch }: { readonly recordsEpoch: number; readonly ownerEpoch: number | null },
  ): Promise<FollowedState> {
    const isAnother = followed.epoch !== null && followed.epoch !== recordsEpoch;
    const isTaken = ownerEpoch !== null && ownerEpoch !== followed.ownerEpoch;
    const { site, isRead, kept } = followed;
    const isNeeded = !isRead || isAnother || isTaken || site.isToLiveThroughPast;
    const isOld = ownerEpoch === null && isOutgrown(followed);
    if (this.restored && (isNeeded || isOld) && site.model.watches) {
      const isToHoldMore = site.isToLiveThroughPast && !isAnother && !isTaken;
      const livedAfter = isToHoldMore ? site.livedRevision : null;
      const isWhole = isRead && !(isTaken && site.isFittedElsewhere);
      const wanted = { recordsEpoch, livedAfter, newerThan: isWhole ? (kept?.number ?? null) : null };
      const found = isNeeded ? await this.restored.now(siteId, wanted) : this.restored.onceThere(siteId, wanted);
      if (found) {
        this.spent.spend();
        if (ownerEpoch === null) found.fresh.site.leaveFitsToOthers();
        return goingOnFrom(found.fresh, found.row);
      }
    }
    if (isAnother) return this.unread();
    if (site.isFittedElsewhere && (isTaken || this.shared?.checkpoints.isUnusable(siteId))) site.learnAgain();
    return followed;
  }

  /**
   * Takes in what is new.
   * @param newestRevision of its records, where that is known
   * @returns how many records that were
   */
  private async readNews(
    siteId: string,
    state: FollowedState,
    newestRevision = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    const { db } = this.database;
    let readRecords = 0;
    if (newestRevision > state.revision) {
      for await (const records of this.records.after(siteId, state.revision)) {
        for (const record of records) state.site.learn(record);
        state.revision = records.at(-1)?.revision ?? state.revision;
        readRecords += records.length;
        state.told += records.length;
      }
    }
    if (readRecords >= BATCH_RECORDS) this.spent.spend();
    const newest = await readOtherSnapshot(db, siteId, state.observedAt);
    if (!newest) return readRecords;
    state.site.observe(newest.snapshot);
    state.observedAt = newest.observedAt;
    return readRecords;
  }

  /** Lives through the past of a site as it is known once its turn has come, if that is still to be done. */
  private async liveThrough(siteId: string, giveWay: () => Promise<void>): Promise<void> {
    const followed = this.sites.get(siteId);
    while (followed?.refreshing) await followed.refreshing.catch(() => undefined);
    if (!followed?.site.isToLiveThroughPast || this.sites.get(siteId) !== followed) return;
    const { site, revision } = followed;
    await site.liveThroughPast(this.records.upTo(siteId, revision), giveWay, revision);
    this.spent.spend();
  }

  /** Others wait for the checkpoint of its owner, unless that is of no use to them or does not come. */
  private isToLearn(siteId: string, followed: Followed): boolean {
    if (this.shared === null || this.shared.owned.epochOf(siteId) !== null) return true;
    followed.waitsSince ??= performance.now();
    return this.shared.checkpoints.isUnusable(siteId) || performance.now() - followed.waitsSince > OWNER_MILLISECONDS;
  }
}

/** For how long a site's owner may take to learn it, where it is one of many. */
const OWNER_MILLISECONDS = 1_800_000;
