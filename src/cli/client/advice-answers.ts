import type { Named } from './answers.ts';
import type { SpreadAnswer } from './forecast-answers.ts';

/** A wait in two figures. */
export interface WaitBoundsAnswer {
  readonly medianSeconds: number | null;
  readonly bound90Seconds: number | null;
}

/** The walltime that is advised at one risk. */
export interface AdviceAnswer {
  readonly risk: number;
  readonly walltimeSeconds: number | null;
  readonly killedProbability: number | null;
  readonly reason: string | null;
  readonly medianWaitSavedSeconds: number | null;
  readonly wait: WaitBoundsAnswer | null;
}

/** Which walltimes one site is advised for. */
export interface WalltimeAdviceAnswer {
  readonly site: Named;
  readonly explanation: string | null;
  readonly runtime: SpreadAnswer | null;
  readonly requestedWait: WaitBoundsAnswer | null;
  readonly advice: readonly AdviceAnswer[];
}
