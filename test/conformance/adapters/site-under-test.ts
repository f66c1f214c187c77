import type { EpochSeconds } from '../../../src/domain/clock.ts';
import type { JobUse } from '../../../src/domain/job-use.ts';
import type { NativeRef, SiteAdapter } from '../../../src/domain/site-adapter.ts';

/** Something a site cannot be made to do, and why. The cases that need it are skipped with that reason. */
export interface Lacking {
  readonly lacks: string;
}

/** Something that begins when it is told to and lasts until it is told to end. */
export interface Trouble {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** What the site says, in its own words, of a job that it will never take. */
export interface Refusals {
  readonly tooManyProcessors: RegExp;
  readonly tooLongWalltime: RegExp | Lacking;
  readonly unknownQueue: RegExp;
}

/**
 * A site as the conformance suite meets it: an adapter under test, and hands on the site that no adapter has. The site
 * is the suite's alone and idle when the suite begins; the adapter's jobs run as an ordinary user.
 */
export interface SiteUnderTest {
  readonly adapter: SiteAdapter;
  /** Processors of the whole site. */
  readonly processors: number;
  /** More than any queue allows. */
  readonly tooLongWalltimeSeconds: number;
  /** The shortest limit that the site tells from no limit. */
  readonly shortestWalltimeSeconds: number;
  /** How long after its limit a job may be killed at the latest, and known to be. */
  readonly walltimeGraceSeconds: number;
  /** A job that fits has started after so long, on a busy machine too. */
  readonly startsWithinSeconds: number;
  readonly refusals: Refusals;
  /** What its history tells of the use of a job that ran for a quarter of a minute. */
  readonly tellsUse: readonly (keyof JobUse)[];
  /** The site's own clock. */
  now(): EpochSeconds;
  /**
   * Lets up to `seconds` of the site's time pass until the condition holds. @throws Error saying what did not happen
   */
  until(what: string, condition: () => Promise<boolean>, seconds?: number): Promise<void>;

  /** Submissions are accepted, and the answer does not reach the adapter within a minute. */
  readonly lostReplies: Trouble | Lacking;
  /** A folder that jobs can write to and the tests can read from. */
  readonly sharedFolder: string | Lacking;
  /** The job's owner or an administrator holds it back, and lets it go; a promise is waited for. */
  readonly hold: { hold(job: NativeRef): unknown; release(job: NativeRef): unknown } | Lacking;
  /** An administrator puts a running job back into the queue, likewise. */
  readonly requeue: ((job: NativeRef) => unknown) | Lacking;
  /** The machine under a running job dies; `begin` may be given time before the job is submitted, by `arrange`. */
  readonly nodeLoss: { arrange?(): void; strike(job: NativeRef): Promise<void>; repair(): Promise<void> } | Lacking;
  /** The site's controller does not run, or runs and does not answer. */
  readonly controllerDown: Trouble | Lacking;
  readonly controllerHung: Trouble | Lacking;
  /**
   * The site does not believe any more that we are who we are; it, or what stands before it, says so in these words.
   */
  readonly authenticationLost: (Trouble & { readonly words: RegExp }) | Lacking;
  /** Fills the queue with that many waiting jobs. */
  readonly fillQueue: ((jobs: number) => Promise<void>) | Lacking;

  /** Takes the site down with everything on it. */
  close(): Promise<void>;
}

/** Whether the site has no such hand. */
export function isLacking<Hand>(hand: Hand | Lacking): hand is Lacking {
  return typeof hand === 'object' && hand !== null && 'lacks' in hand;
}

/** Does something while the trouble lasts. */
export async function during(trouble: Trouble, act: () => Promise<void>): Promise<void> {
  await trouble.begin();
  try {
    await act();
  } finally {
    await trouble.end();
  }
}
