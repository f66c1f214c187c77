import { setImmediate } from 'node:timers/promises';
import { CheckpointFault } from '../predict/checkpoint/checkpoint.ts';
import { packCheckpoint, unpackCheckpoint } from '../predict/checkpoint/pack.ts';
import { type CheckpointRow, listCheckpoints, readPacked, saveCheckpoint } from '../store/checkpoints.ts';
import type { Database } from '../store/database.ts';
import { isDatabaseAway, isDatabaseRefusal, isDatabaseUnwilling } from '../store/database-away.ts';
import { noteFault } from '../store/site-owners.ts';
import type { KeptSite, KeptWhen, LiveSite } from './live-site.ts';

/** What a site's checkpoint is asked to be. */
export interface WantedCheckpoint {
  /** As the site's records are now. */
  readonly recordsEpoch: number;
  /** Of its records more than those up to this one must have been lived through; null for any. */
  readonly livedAfter: number | null;
  /** A newer one than this; null for any. */
  readonly newerThan: number | null;
}

/** A checkpoint as it was read or written here. */
export interface KeptCheckpoint {
  readonly number: number;
  /** As it is in memory: before it is compressed. */
  readonly bytes: number;
}

/** A site that was restored from a checkpoint. */
export interface RestoredSite<Unread> {
  readonly fresh: Unread;
  readonly row: CheckpointRow & KeptCheckpoint;
}

/** The checkpoints of sites, as one thread reads and writes them. */
export class SiteCheckpoints {
  /** The newest of each site of which none could be used; they are not tried again. */
  private readonly unusable = new Map<string, number>();
  /** When a site that could not be kept is tried again, in milliseconds of a monotonic clock. */
  private readonly notBefore = new Map<string, number>();

  /** @param warn told why a checkpoint could not be used, so that a past is lived through again */
  constructor(
    private readonly database: Database,
    private readonly warn: (what: string, error: unknown) => void,
  ) {}

  /**
   * Restores the newest checkpoint of a site that is as it is wanted and can be used.
   * @param unread makes a site that has learned nothing
   * @param giveWay waited for after every few milliseconds
   * @returns null when there is none
   */
  async restore<Unread extends { readonly site: LiveSite }>(
    siteId: string,
    unread: () => Unread,
    { recordsEpoch, livedAfter, newerThan }: WantedCheckpoint,
    giveWay: () => Promise<void> = () => setImmediate(),
  ): Promise<RestoredSite<Unread> | null> {
    const rows = await listCheckpoints(this.database.db, siteId);
    const newest = rows[0]?.number ?? null;
    if (newest === null || this.unusable.get(siteId) === newest) return null;
    const wanted = rows.filter((row) => {
      if (row.recordsEpoch !== recordsEpoch || row.number <= (newerThan ?? 0)) return false;
      return livedAfter === null || row.livedRevision > livedAfter;
    });
    for (const [i, row] of wanted.entries()) {
      const fresh = unread();
      const isAnotherLeft = i + 1 < wanted.length;
      const packed = await this.readInto(fresh.site, { siteId, number: row.number, isAnotherLeft }, giveWay);
      if (packed === 'UNUSABLE') this.unusable.set(siteId, newest);
      if (packed === null || packed === 'UNUSABLE') continue;
      this.unusable.delete(siteId);
      if (row.number === newest) await noteFault(this.database.db, siteId, null);
      return { fresh, row: { ...row, bytes: packed.length } };
    }
    return null;
  }

  /** Whether no checkpoint of the site could be used here, so that waiting for its owner is of no use. */
  isUnusable(siteId: string): boolean {
    return this.unusable.has(siteId);
  }

  /**
   * Writes the newest checkpoint of a site.
   * @returns null when nothing was written: another one owns the site by now, or it holds what cannot be
   *   kept, or PostgreSQL does not take it, which is told and tried again a minute later
   */
  async save(siteId: string, site: LiveSite, kept: KeptWhen): Promise<KeptCheckpoint | null> {
    if (performance.now() < (this.notBefore.get(siteId) ?? 0)) return null;
    try {
      const checkpoint = await site.checkpoint(kept);
      const packed = packCheckpoint(checkpoint);
      const number = await saveCheckpoint(this.database.db, siteId, checkpoint.header.about, packed);
      return number === null ? null : { number, bytes: packed.length };
    } catch (error) {
      const isAway = isDatabaseAway(error) && !isDatabaseUnwilling(error);
      if (isAway || !(error instanceof TypeError || isDatabaseRefusal(error))) throw error;
      const { message } = error as Error;
      this.warn(`site ${siteId} cannot be kept`, error);
      this.notBefore.set(siteId, performance.now() + PAUSE_MILLISECONDS);
      await noteFault(this.database.db, siteId, message);
      return null;
    }
  }

  /**
   * Restores one checkpoint; one that cannot be used is told of, and whether an older one can be tried.
   * @returns its bytes; null when it has gone; the site is of no use when that was unusable
   */
  private async readInto(
    site: LiveSite,
    { siteId, number, isAnotherLeft }: { siteId: string; number: number; isAnotherLeft: boolean },
    giveWay: () => Promise<void>,
  ): Promise<Uint8Array | 'UNUSABLE' | null> {
    try {
      const packed = await this.readBytes(siteId, number);
      if (packed) await site.restore(unpackCheckpoint<KeptSite>(packed), giveWay);
      return packed;
    } catch (error) {
      if (isDatabaseAway(error) || isDatabaseRefusal(error)) throw error;
      const { message } = error as Error;
      const what = isAnotherLeft ? 'the one before it is tried' : 'its past is relived';
      this.warn(`checkpoint ${number} of site ${siteId} cannot be used, ${what}`, error);
      await noteFault(this.database.db, siteId, message);
      return 'UNUSABLE';
    }
  }

  private async readBytes(siteId: string, number: number): Promise<Uint8Array | null> {
    try {
      return await readPacked(this.database, siteId, number);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      throw new CheckpointFault((error as Error).message);
    }
  }
}

/** Between two tries to keep a site that could not be kept. */
const PAUSE_MILLISECONDS = 60_000;
