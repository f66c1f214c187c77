import { keepClass } from '../../domain/kept-classes.ts';
import type { LeadParts } from './lead-blend.ts';
import { LEAD_CLASSES, leadClassOf, leadOfClass } from './lead-class.ts';
import type { ExpectedAhead } from './load-ahead.ts';
import { type KnownSpread, OutcomeSpread } from './outcome-spread.ts';
import { PendingForecasts } from './pending-forecasts.ts';
import { SLOTS_PER_HOUR } from './slots.ts';

/** An expectation of one slot that is over. */
export interface PastExpectation {
  /** How many slots ahead it was made. */
  readonly lead: number;
  readonly parts: LeadParts;
}

/**
 * A predictor's expectations of itself: made at every slot for one slot of every lead, and every half hour for an hour
 * of each, kept until they can be looked at, and their outcomes after that.
 */
export class OwnForecasts {
  private readonly ofSlots = LEADS.map((lead) => new PendingForecasts(lead, 1, 1));
  private readonly ofHours = LEADS.map((lead) => new PendingForecasts(lead, SLOTS_PER_HOUR, HOURS_EVERY_SLOTS));
  private readonly spreads = new Map<number, OutcomeSpread>();

  make(first: number, ahead: ExpectedAhead): void {
    const made = first % HOURS_EVERY_SLOTS === 0 ? [this.ofSlots, this.ofHours] : [this.ofSlots];
    for (const pending of made) {
      for (const one of pending) one.keep(first, ahead.expectedIn(one.lead, one.length), ahead.partsAt(one.lead));
    }
  }

  /**
   * Learns from those whose last slot this is.
   * @param inSlot processors that were asked for in it
   * @param inHour the same of the hour that it is the last slot of
   * @returns those that were about it alone
   */
  learnEndingIn(slot: number, inSlot: number, inHour: number): PastExpectation[] {
    this.learnFrom(this.ofHours, slot, inHour);
    return this.learnFrom(this.ofSlots, slot, inSlot);
  }

  /** Of a lead that has no outcomes yet, the spread of the longest one before it that has. */
  spreadOf(lead: number, length: number, expected: number): KnownSpread {
    for (let leadClass = leadClassOf(lead); leadClass > 0; leadClass--) {
      const spread = this.spreads.get(keyOf(leadClass, length))?.of(expected);
      if (spread && spread.sampleSize >= FEWEST) return spread;
    }
    return (this.spreads.get(keyOf(0, length)) ?? new OutcomeSpread()).of(expected);
  }

  /** Forgets what is not over, not what was learned. */
  clear(): void {
    for (const pending of [...this.ofSlots, ...this.ofHours]) pending.clear();
  }

  private learnFrom(pending: readonly PendingForecasts[], slot: number, actual: number): PastExpectation[] {
    const past: PastExpectation[] = [];
    pending.forEach((one, leadClass) => {
      const ending = one.endingIn(slot);
      if (!ending) return;
      this.spreadFor(keyOf(leadClass, one.length)).add(ending.expected, actual);
      past.push({ lead: one.lead, parts: ending.parts });
    });
    return past;
  }

  private spreadFor(key: number): OutcomeSpread {
    const known = this.spreads.get(key);
    if (known) return known;
    const spread = new OutcomeSpread();
    this.spreads.set(key, spread);
    return spread;
  }
}

function keyOf(leadClass: number, length: number): number {
  return leadClass * (SLOTS_PER_HOUR + 1) + length;
}

const HOURS_EVERY_SLOTS = 6;
const LEADS = Array.from({ length: LEAD_CLASSES }, (_, leadClass) => leadOfClass(leadClass));
const FEWEST = 100;

keepClass(OwnForecasts);
