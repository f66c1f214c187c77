import type { EpochSeconds } from './clock.ts';

/**
 * Whom a site's refusal is about: this `JOB` alone; jobs of at least its `SIZE`; all of the tenant's in that queue
 * (`QUEUE_FORBIDDEN`); the queue itself, which is down or closed for everybody just now (`QUEUE_DOWN`); or the number
 * of jobs that the site takes of the tenant at a time, whatever they are like (`JOB_LIMIT`).
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
  /** The site's own words. */
  readonly siteSays: string;
  readonly until: EpochSeconds;
}
