import type { FollowedState } from './followed-site.ts';
import { giveWay } from './give-way.ts';
import { throwUnlessAway } from './pasts-in-turn.ts';
import type { RestoredSite, SiteCheckpoints, WantedCheckpoint } from './site-checkpoints.ts';

type Restored = RestoredSite<FollowedState>;

/**
 * Sites that are restored from checkpoints: where one is needed at once, or beside what is asked meanwhile, so that
 * nobody waits for a newer one of a site that can answer.
 */
export class RestoredSites {
  private readonly newer = new Map<string, Restored>();
  /** What is being restored beside; of a site that was forgotten meanwhile it is of no use any more. */
  private readonly underWay = new Map<string, Promise<Restored | null>>();

  /**
   * @param unread makes a site of which nothing has been read
   * @param isAsked whether somebody waits for an answer of this thread
   */
  constructor(
    private readonly checkpoints: Pick<SiteCheckpoints, 'restore'>,
    private readonly unread: () => FollowedState,
    private readonly isAsked: () => boolean,
  ) {}

  /** The newest checkpoint as it is wanted; null when there is none. */
  now(siteId: string, wanted: WantedCheckpoint): Promise<Restored | null> {
    this.forget(siteId);
    return this.checkpoints.restore(siteId, this.unread, wanted);
  }

  /** The same once it is there, for whoever comes next; null until then, and it is begun with if there is one. */
  onceThere(siteId: string, wanted: WantedCheckpoint): Restored | null {
    const newer = this.newer.get(siteId);
    this.newer.delete(siteId);
    if (newer && isAsWanted(newer, wanted)) return newer;
    if (!this.underWay.has(siteId)) void this.begin(siteId, wanted);
    return null;
  }

  /** Nothing newer is wanted of the site for now. */
  forget(siteId: string): void {
    this.newer.delete(siteId);
    this.underWay.delete(siteId);
  }

  /** Waits for what is being restored. */
  async close(): Promise<void> {
    await Promise.allSettled(this.underWay.values());
  }

  private async begin(siteId: string, wanted: WantedCheckpoint): Promise<void> {
    const restoring = this.checkpoints.restore(siteId, this.unread, wanted, () => giveWay(this.isAsked));
    this.underWay.set(siteId, restoring);
    const isStillWanted = () => this.underWay.get(siteId) === restoring;
    try {
      const restored = await restoring;
      if (restored && isStillWanted()) this.newer.set(siteId, restored);
    } catch (error) {
      throwUnlessAway(error);
    } finally {
      if (isStillWanted()) this.underWay.delete(siteId);
    }
  }
}

function isAsWanted({ row }: Restored, { recordsEpoch, newerThan }: WantedCheckpoint): boolean {
  return row.recordsEpoch === recordsEpoch && row.number > (newerThan ?? 0);
}
