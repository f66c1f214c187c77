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
  /** One site at a time is restored beside, so that sites that need it together do not fill the memory. */
  private underWay: { readonly siteId: string; readonly ended: Promise<void>; isForgotten: boolean } | null = null;
  /** The last one, until it is taken or another one is there. */
  private newer: { readonly siteId: string; readonly restored: Restored } | null = null;

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

  /** The same, for whoever asks for it once it is there; null until then. It is begun with when no other one is. */
  onceThere(siteId: string, wanted: WantedCheckpoint): Restored | null {
    const newer = this.take(siteId);
    if (newer && isAsWanted(newer, wanted)) return newer;
    this.underWay ??= { siteId, ended: this.restoreBeside(siteId, wanted), isForgotten: false };
    return null;
  }

  /** Nothing newer is wanted of the site for now. */
  forget(siteId: string): void {
    this.take(siteId);
    if (this.underWay?.siteId === siteId) this.underWay.isForgotten = true;
  }

  /** Waits for what is being restored. */
  async close(): Promise<void> {
    await this.underWay?.ended;
  }

  private take(siteId: string): Restored | null {
    if (this.newer?.siteId !== siteId) return null;
    const { restored } = this.newer;
    this.newer = null;
    return restored;
  }

  private async restoreBeside(siteId: string, wanted: WantedCheckpoint): Promise<void> {
    try {
      const restored = await this.checkpoints.restore(siteId, this.unread, wanted, () => giveWay(this.isAsked));
      if (restored && !this.underWay?.isForgotten) this.newer = { siteId, restored };
    } catch (error) {
      throwUnlessAway(error);
    } finally {
      this.underWay = null;
    }
  }
}

function isAsWanted({ row }: Restored, { recordsEpoch, newerThan }: WantedCheckpoint): boolean {
  return row.recordsEpoch === recordsEpoch && row.number > (newerThan ?? 0);
}
