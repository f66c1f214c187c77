import type { EpochSeconds } from '../domain/clock.ts';
import type { LegStanding, RuleTree } from '../domain/co-allocation.ts';
import { type CoAllocationDecision, decideCoAllocation } from '../plan/decide-co-allocation.ts';
import type { GroupSite } from './group-site.ts';
import type { VarqReservation } from './varq-reservation.ts';

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
  /** Held by legs that lost. */
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
    now: EpochSeconds,
  ) {
    this.dueAt = now;
    this.waitFrom(now);
  }

  /** Moves the legs that are due and decides; all sites stand at `dueAt`. */
  next(): void {
    const now = this.dueAt;
    for (const { at, reservation } of this.legs) {
      while (reservation.isOpen && reservation.dueAt - at.beginsAt <= now) reservation.next();
    }
    const decision = decideCoAllocation(this.rule, this.legs.map(standingOf), this.startAt, now);
    this.cancel(decision.losers, now);
    if (decision.kind === 'PENDING') this.waitFrom(now);
    else this.conclude(decision);
  }

  private cancel(losers: readonly string[], now: EpochSeconds): void {
    for (const { legId, at, reservation } of this.legs) {
      if (!losers.includes(legId) || !reservation.isOpen) continue;
      this.cancelledLosers++;
      if (reservation.startedAt !== null) this.lateWinners++;
      reservation.cancel(now + at.beginsAt);
    }
  }

  private conclude(decision: CoAllocationDecision): void {
    const winners = new Set(decision.kind === 'SUCCEEDED' ? decision.winners : []);
    const paddingOf = (won: boolean) =>
      this.legs
        .filter(({ legId }) => winners.has(legId) === won)
        .reduce((sum, { reservation }) => sum + reservation.paddingProcessorSeconds, 0);
    const required = this.legs
      .filter(({ legId }) => winners.has(legId))
      .reduce((sum, { reservation: { terms } }) => sum + terms.work.processors * terms.work.runSeconds, 0);
    this.dueAt = Number.POSITIVE_INFINITY;
    this.outcome = {
      succeeded: decision.kind === 'SUCCEEDED',
      required,
      padding: paddingOf(true),
      lost: paddingOf(false),
      cancelledLosers: this.cancelledLosers,
      lateWinners: this.lateWinners,
    };
  }

  private waitFrom(now: EpochSeconds): void {
    const moments = this.legs.flatMap(({ at, reservation }) =>
      reservation.isOpen ? [reservation.dueAt - at.beginsAt] : [],
    );
    const isWatched = this.legs.some(({ reservation }) => reservation.state === 'SUBMITTED');
    this.dueAt = Math.max(now, Math.min(this.startAt, ...moments, isWatched ? now + this.pollSeconds : this.startAt));
  }
}

function standingOf({ legId, at, reservation }: GroupLeg): LegStanding {
  const { state, startedAt } = reservation;
  const heldSinceAt = startedAt === null ? null : startedAt - at.beginsAt;
  if (state === 'KEPT' || (state === 'SUBMITTED' && startedAt !== null))
    return { legId, state: 'HOLDING', heldSinceAt };
  return { legId, state: state === 'HELD' || state === 'SUBMITTED' ? 'WAITING' : 'FAILED', heldSinceAt: null };
}
