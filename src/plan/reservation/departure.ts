import type { EpochSeconds } from '../../domain/clock.ts';
import type { SiteState } from '../../domain/site.ts';
import type { ExecutionFacts } from './promised-job.ts';

/** Why a promise should leave the site it waits for. */
export interface Departure {
  readonly why: string;
  /**
   * Whether nothing is lost by going: it then goes, where no site promises as much, to the one that promises the most.
   */
  readonly isOut: boolean;
  /** Whether it is told of the departure although there is nowhere to go. */
  readonly isTold: boolean;
}

/** What stands against a site that a promise waits for. */
export interface WaitingPlace {
  readonly siteName: string;
  readonly siteState: SiteState;
  /** What it has announced that keeps the promise from being kept, in a sentence; null for nothing. */
  readonly obstacle: string | null;
  /** Whether its job was in that queue and was taken back. */
  readonly isWithdrawn: boolean;
  /** That keeps it out; null for none. */
  readonly refusal: { readonly until: EpochSeconds; readonly siteSays: string } | null;
  /** When it is to be submitted there. */
  readonly submitAt: EpochSeconds;
}

/** Whether and why a promise should leave the site it waits for; null when it should stay. */
export function whyLeave(
  { siteName, siteState, obstacle, isWithdrawn, refusal, submitAt }: WaitingPlace,
  now: EpochSeconds,
): Departure | null {
  const isDown = `${siteName} is taken to be down`;
  if (siteState === 'REMOVING') return { why: `${siteName} is being removed`, isOut: true, isTold: false };
  if (isWithdrawn) return { why: `${obstacle ?? isDown} and has given its job back`, isOut: true, isTold: false };
  // One that is let in again before it is due has lost nothing.
  if (refusal && submitAt < refusal.until) {
    return { why: `${siteName} refuses it: ${refusal.siteSays}`, isOut: submitAt <= now, isTold: false };
  }
  if (siteState === 'SUSPENDED') return { why: isDown, isOut: false, isTold: false };
  return obstacle === null ? null : { why: obstacle, isOut: false, isTold: true };
}

/** Whether a promised job in the queue of a site had better be withdrawn, if another site promises as much. */
export function mayBeWithdrawn(
  execution: Pick<ExecutionFacts, 'attempts'>,
  { isObstructed, siteState }: { readonly isObstructed: boolean; readonly siteState: SiteState },
): boolean {
  return (isObstructed || siteState === 'SUSPENDED') && mayBeAskedBack(execution);
}

/** Whether a job has not been handed in so often that it stays where it is. */
export function mayBeAskedBack({ attempts }: Pick<ExecutionFacts, 'attempts'>): boolean {
  return attempts < MOST_ATTEMPTS;
}

const MOST_ATTEMPTS = 4;
