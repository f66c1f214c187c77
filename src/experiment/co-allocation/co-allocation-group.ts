import type { EpochSeconds } from '../../domain/clock.ts';
import { isLegNeeded, type LegStanding, type RuleTree } from '../../domain/co-allocation.ts';
import { type CoAllocationDecision, decideCoAllocation } from '../../plan/co-allocation/decide-co-allocation.ts';
import { standingOf } from '../../plan/co-allocation/standing.ts';
import { chargedFor } from '../../plan/reservation/life.ts';
import type { VarqReservation } from '../varq/varq-reservation.ts';
import type { GroupSite } from './group-site.ts';

/** One leg of a group, at a site with a clock of its own. */
export interface GroupLeg {
  readonly legId: string;
  readonly at: GroupSite;
  readonly reservation: VarqReservation;
}

/** What a group came to. Charges in processor-seconds. */
export interface GroupOutcome {
  readonly succeeded: boolean;
  /** Own work of the winners. */
  readonly required: number;
  /** Held by the winners before the start time. */
  readonly padding: number;
  /** Held by legs that lost, or for a start that did not come about. */
  readonly lost: number;
  readonly cancelledLosers: number;
  /** Losers that held processors already when they were cancelled. */
  readonly lateWinners: number;
}

/** A co-allocation that was promised, followed until it is decided. All moments are of the common clock. */
export class CoAllocationGroup {
  dueAt: EpochSeconds;
  outcome: GroupOutcome | null = null;
  private cancelledLosers = 0;
  private lateWinners = 0;

  constructor(
    private readonly rule: RuleTree,
    private readonly legs: readonly GroupLeg[],
    private readonly startAt: EpochSeconds,
    /** How often submitted legs are looked at. */
    private readonly pollSeconds: number,
    readonly promisedAt: EpochSeconds,
  ) {
    this.dueAt = promisedAt;
    this.waitFrom(promisedAt);
  }

  /** The legs that it cannot do without, whose ends it leaves to their sites. */
  get neededLegs(): readonly GroupLeg[] {
    return this.legs.filter(({ legId }) => this.legs.length === 1 || isLegNeeded(this.rule, legId));
  }

  /** Moves the legs that are due and decides; all sites stand at `dueAt`. */
  next(): void {
    const now = this.dueAt;
    for (const { at, reservation } of this.legs) {
      while (reservation.isOpen && reservation.dueAt - at.beginsAt <= now) reservation.next();
      reservation.look(now + at.beginsAt);
    }
    const decision = decideCoAllocation(this.rule, this.legs.map(standingAtCommonClock), this.startAt, now);
    this.cancel(decision.losers, now);
    if (decision.kind === 'PENDING') this.waitFrom(now);
    else this.conclude(decision);
  }

  private cancel(losers: readonly string[], now: EpochSeconds): void {
    for (const { legId, at, reservation } of this.legs) {
      if (!losers.includes(legId) || !reservation.isOpen) continue;
      this.cancelledLosers++;
      if (reservation.state === 'HOLDING') this.lateWinners++;
      reservation.cancel(now + at.beginsAt);
    }
  }

  private conclude(decision: CoAllocationDecision): void {
    const names = new Set(decision.kind === 'SUCCEEDED' ? decision.winners : []);
    const chargesOf = (won: boolean) =>
      this.legs.filter(({ legId }) => names.has(legId) === won).flatMap(({ reservation }) => reservation.charges);
    const [winners, others] = [chargesOf(true), chargesOf(false)];
    this.dueAt = Number.POSITIVE_INFINITY;
    this.outcome = {
      succeeded: decision.kind === 'SUCCEEDED',
      required: chargedFor('NEEDED', winners),
      padding: chargedFor('PADDING', winners),
      lost: chargedFor('PADDING', others) + chargedFor('LOST', others),
      cancelledLosers: this.cancelledLosers,
      lateWinners: this.lateWinners,
    };
  }

  private waitFrom(now: EpochSeconds): void {
    const moments = this.legs.flatMap(({ at, reservation }) =>
      reservation.isOpen ? [reservation.dueAt - at.beginsAt] : [],
    );
    const isWatched = this.legs.some(({ reservation: { state } }) => state === 'SUBMITTED' || state === 'HOLDING');
    this.dueAt = Math.max(now, Math.min(this.startAt, ...moments, isWatched ? now + this.pollSeconds : this.startAt));
  }
}

function standingAtCommonClock({ legId, at, reservation: { kept } }: GroupLeg): LegStanding {
  const standing = standingOf({ ...kept, legId });
  const { heldSinceAt } = standing;
  return { ...standing, heldSinceAt: heldSinceAt === null ? null : heldSinceAt - at.beginsAt };
}
