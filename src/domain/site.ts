/** A partition or queue of a site, with its limits. Null means the site states no such limit. */
export interface QueueFacts {
  readonly name: string;
  readonly isDefault: boolean;
  readonly maxProcessors: number | null;
  readonly maxWalltimeSeconds: number | null;
}

/** What is true of a site whatever its load, discovered through its adapter. */
export interface SiteFacts {
  readonly processors: number;
  readonly queues: readonly QueueFacts[];
}

/** Whether a site is given work: `ACTIVE` yes, `DRAINING` finishes what it has, `SUSPENDED` promises are withheld by the detector. */
export const SITE_STATES = ['ACTIVE', 'DRAINING', 'SUSPENDED'] as const;
export type SiteState = (typeof SITE_STATES)[number];
