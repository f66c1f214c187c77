import type { JobRecord } from '../domain/job.ts';
import { holdUntil } from '../plan/hold.ts';
import type { EndedWork } from '../store/own-work.ts';

/** How many jobs that ended last tell which shares of their walltimes jobs use. */
export const JOBS_TO_LEARN_FROM = 200;

/** Shares of a walltime that jobs use, in ten slices of equal probability: the middle of each, ascending. */
export type WalltimeShares = readonly number[];

/** What the jobs of a site that ended last used of their requested walltimes. */
export class WalltimeUse {
  private readonly newest: number[] = [];
  private next = 0;
  private slices: WalltimeShares | null = null;

  /** Takes in a job that ended; one that did not, or requested no walltime, tells nothing. */
  add({ startAt, endAt, requestedWalltimeSeconds }: JobRecord): void {
    if (startAt === null || endAt === null || !requestedWalltimeSeconds) return;
    this.newest[this.next] = (endAt - startAt) / requestedWalltimeSeconds;
    this.next = (this.next + 1) % JOBS_TO_LEARN_FROM;
    this.slices = null;
  }

  /** The whole walltime while fewer than ten jobs have ended. */
  get shares(): WalltimeShares {
    this.slices ??= slicesOf(this.newest) ?? WHOLE_WALLTIME;
    return this.slices;
  }
}

/** What work of ours used, without the time that it only held its processors; null while too little has ended. */
export function ownWalltimeShares(ended: readonly EndedWork[]): WalltimeShares | null {
  return slicesOf(
    ended.flatMap(({ mode, startAt, windowOpensAt, startedAt, endedAt, walltimeSeconds }) => {
      const heldUntilAt = mode === null || startAt === null ? null : holdUntil(mode, startAt, windowOpensAt);
      const workedSeconds = endedAt - Math.max(startedAt, heldUntilAt ?? startedAt);
      return workedSeconds > 0 ? [workedSeconds / walltimeSeconds] : [];
    }),
  );
}

/**
 * What is supposed of our own work before enough of it has ended: that it uses as little as the site's jobs, or may be
 * over at any time, whichever is less.
 */
export function supposedShares(ofSite: WalltimeShares): WalltimeShares {
  return ANY_TIME.map((share, n) => Math.min(share, ofSite[n] ?? 1));
}

function slicesOf(shares: readonly number[]): WalltimeShares | null {
  if (shares.length < SLICES) return null;
  const sorted = shares.map((share) => Math.min(1, share)).sort((a, b) => a - b);
  return Array.from({ length: SLICES }, (_, n) => sorted[Math.floor(((n + 0.5) / SLICES) * sorted.length)] as number);
}

const SLICES = 10;
const WHOLE_WALLTIME: WalltimeShares = [1];
const ANY_TIME: WalltimeShares = Array.from({ length: SLICES }, (_, n) => (n + 0.5) / SLICES);
