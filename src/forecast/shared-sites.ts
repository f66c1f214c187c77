import type { OwnedSites } from './owned-sites.ts';
import type { SiteCheckpoints } from './site-checkpoints.ts';

/** How a site's model is shared with other processes: one of them learns it, and the others read its checkpoints. */
export interface SharedSites {
  readonly owned: OwnedSites;
  readonly checkpoints: SiteCheckpoints;
  /** Whether this thread, of those of its process, looks after a site. */
  isHere(siteId: string): boolean;
}
