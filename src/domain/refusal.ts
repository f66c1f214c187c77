import type { EpochSeconds } from './clock.ts';

/**
 * Whom a site's refusal is about: this `JOB` alone; jobs of at least its `SIZE`; all of the tenant's in that queue
 * (`QUEUE_FORBIDDEN`); the queue itself, which is down or closed for everybody just now (`QUEUE_DOWN`); or the number
 * of jobs that the site or its queue takes of the tenant at a time, whatever they are like (`JOB_LIMIT`).
 */
export const REFUSAL_SCOPES = ['JOB', 'SIZE', 'QUEUE_FORBIDDEN', 'QUEUE_DOWN', 'JOB_LIMIT'] as const;
export type RefusalScope = (typeof REFUSAL_SCOPES)[number];

/** A submission that a site said no to, and until when nothing like it is handed there. */
export interface Refusal {
  readonly siteId: string;
  /** Null for every queue of the site. */
  readonly queue: string | null;
  readonly scope: RefusalScope;
  /** Size of what was refused. */
  readonly processors: number;
  readonly walltimeSeconds: number;
  /** On which terms that was handed in, whose jobs alone it is about; empty for those of the site, absent for any. */
  readonly account?: string;
  readonly qos?: string;
  /** Of a limit of jobs: how many the site had of the tenant there, on these terms; absent or null where not known. */
  readonly mostJobs?: number | null;
  /** How many it has now. */
  readonly presentJobs?: number;
  /** The site's own words. */
  readonly siteSays: string;
  readonly until: EpochSeconds;
}
