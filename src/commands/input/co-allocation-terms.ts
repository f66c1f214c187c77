import type { EpochSeconds } from '../../domain/clock.ts';
import type { RuleGroup } from '../../domain/co-allocation.ts';
import type { Placement } from './placement.ts';
import type { SizeInput, StatedProgram } from './work-input.ts';

/** The size of one leg, its name in the rule, and where it may go. */
export interface LegTerms extends SizeInput, Placement, StatedProgram {
  readonly legId: string;
  /** Padding paid for it at most in the worst case; any unless told. */
  readonly maxPaddingProcessorSeconds?: number | null;
  /** The same on average. */
  readonly maxExpectedPaddingProcessorSeconds?: number | null;
}

/** The terms of a co-allocation: which legs have to run when, how many of them, and how surely. */
export interface CoAllocationTerms {
  /** Over the legs. */
  readonly rule: RuleGroup;
  readonly startAt: EpochSeconds;
  /** Wanted probability that the rule is met, within (0, 1). */
  readonly probability: number;
  /** The same in the worst case of dependence between the sites; any unless told. */
  readonly minimumPessimisticProbability?: number | null;
  /** At most as many sites for one leg, of which the first to start wins; one unless told. */
  readonly mostSitesPerLeg?: number;
  readonly legs: readonly LegTerms[];
}

/** Between a leg's name and the number of the site, where it is tried at several. */
export const COPY_MARK = '#';
