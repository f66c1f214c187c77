import type { EpochSeconds } from './clock.ts';

/** A job that is held back before its submission, or queues behind one that is. */
export interface HeldJob {
  /** When it would have been submitted. */
  readonly arrivedAt: EpochSeconds;
  readonly submitAt: EpochSeconds;
}

/** Whom a tenant has held back at one site. */
export interface HoldQueue {
  /** The execution that is held back on its own account, or was before those that are still behind it. */
  readonly headId: string;
  readonly head: HeldJob;
  readonly last: HeldJob;
  readonly jobs: number;
}
