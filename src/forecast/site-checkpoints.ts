import { setImmediate } from 'node:timers/promises';
import { CheckpointFault } from '../predict/checkpoint/checkpoint.ts';
import { packCheckpoint, unpackCheckpoint } from '../predict/checkpoint/pack.ts';
import { type CheckpointRow, findNewestCheckpoint, readPacked, saveCheckpoint } from '../store/checkpoints.ts';
import type { Database } from '../store/database.ts';
import { isDatabaseAway, isDatabaseRefusal } from '../store/database-away.ts';
import { noteFault } from '../store/site-owners.ts';
import type { KeptSite, KeptWhen, LiveSite } from './live-site.ts';

/** What a site's checkpoint is asked to be. */
interface Wanted {
  /** As the site's records are now. */
  readonly recordsEpoch: number;
  /** Of its records more than those up to this one must have been lived through; null for any. */
  readonly livedAfter: number | null;
  /** Another one than this; null for any. */
  readonly otherThan: number | null;
}

/** A checkpoint as it was read or written here. */
export interface KeptCheckpoint {
  readonly number: number;
  /** As it is in memory: before it is compressed. */
  readonly bytes: number;
}

/** The checkpoints of sites, as one thread reads and writes them. */
export class SiteCheckpoints {
  /** The newest of each site that could not be used, which is not tried again. */
  private readonly unusable = new Map<string, number>();
  /** When a site that could not be kept is tried again, in milliseconds of a monotonic clock. */
  private readonly notBefore = new Map<string, number>();

  /** @param warn told why a checkpoint could not be used, so that a past is lived through again */
  constructor(
    private readonly database: Database,
    private readonly warn: (message: string) => void,
  ) {}

  /**
   * Restores the newest checkpoint of a site, if it is as it is wanted.
   * @param fresh has learned nothing; of no use when it could not be restored
   * @returns null when there is none that can be used
   */
  async restore(
    siteId: string,
    fresh: LiveSite,
    { recordsEpoch, livedAfter, otherThan }: Wanted,
  ): Promise<(CheckpointRow & KeptCheckpoint) | null> {
    const newest = await findNewestCheckpoint(this.database.db, siteId);
    if (!newest || newest.recordsEpoch !== recordsEpoch || this.unusable.get(siteId) === newest.number) return null;
    if (newest.number === otherThan) return null;
    if (livedAfter !== null && newest.livedRevision <= livedAfter) return null;
    try {
      const packed = await this.readBytes(siteId, newest.number);
      if (!packed) return null;
      await fresh.restore(unpackCheckpoint<KeptSite>(packed), () => setImmediate());
      this.unusable.delete(siteId);
      await noteFault(this.database.db, siteId, null);
      return { ...newest, bytes: packed.length };
    } catch (error) {
      if (isDatabaseAway(error) || isDatabaseRefusal(error)) throw error;
      const { message } = error as Error;
      this.unusable.set(siteId, newest.number);
      this.warn(`checkpoint ${newest.number} of site ${siteId} cannot be used, its past is relived: ${message}`);
      await noteFault(this.database.db, siteId, message);
      return null;
    }
  }

  /** Whether a checkpoint of the site could not be used here, so that waiting for its owner is of no use. */
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
      if (isDatabaseAway(error) || !(error instanceof TypeError || isDatabaseRefusal(error))) throw error;
      const { message } = error as Error;
      this.warn(`site ${siteId} cannot be kept: ${message}`);
      this.notBefore.set(siteId, performance.now() + PAUSE_MILLISECONDS);
      await noteFault(this.database.db, siteId, message);
      return null;
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
