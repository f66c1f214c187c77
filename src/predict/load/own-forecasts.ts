import { keepClass } from '../../domain/kept-classes.ts';
import type { LeadParts } from './lead-blend.ts';
import { LEAD_CLASSES, leadClassOf, leadOfClass } from './lead-class.ts';
import type { ExpectedAhead } from './load-ahead.ts';
import { type KnownSpread, OutcomeSpread } from './outcome-spread.ts';
import { SLOTS_PER_HOUR } from './slots.ts';

/** What was expected of some slots together, to be looked at when they are over. */
export interface OwnForecast {
  readonly lead: number;
  readonly length: number;
  readonly expected: number;
  /** What it was made of; null when that teaches nothing. */
  readonly parts: LeadParts | null;
}

/**
 * A predictor's expectations of itself: made at every slot for one slot of every lead, and every half hour for an hour
 * of each, kept until they can be looked at, and their outcomes after that.
 */
export class OwnForecasts {
  private readonly pending = new Map<number, OwnForecast[]>();
  private readonly spreads = new Map<string, OutcomeSpread>();

  make(first: number, ahead: ExpectedAhead): void {
    for (let leadClass = 0; leadClass < LEAD_CLASSES; leadClass++) {
      const lead = leadOfClass(leadClass);
      this.keep(first, { lead, length: 1, expected: ahead.expectedIn(lead, 1), parts: ahead.partsAt(lead) });
      if (first % HOURS_EVERY_SLOTS !== 0) continue;
      const expected = ahead.expectedIn(lead, SLOTS_PER_HOUR);
      this.keep(first, { lead, length: SLOTS_PER_HOUR, expected, parts: null });
    }
  }

  /** Those whose last slot this is; they are given once. */
  endingAt(slot: number): readonly OwnForecast[] {
    const ending = this.pending.get(slot) ?? [];
    this.pending.delete(slot);
    return ending;
  }

  learn(lead: number, length: number, expected: number, actual: number): void {
    const key = keyOf(leadClassOf(lead), length);
    let spread = this.spreads.get(key);
    if (!spread) {
      spread = new OutcomeSpread();
      this.spreads.set(key, spread);
    }
    spread.add(expected, actual);
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
    this.pending.clear();
  }

  private keep(first: number, forecast: OwnForecast): void {
    const last = first + forecast.lead + forecast.length - 1;
    const ending = this.pending.get(last);
    if (ending) ending.push(forecast);
    else this.pending.set(last, [forecast]);
  }
}

function keyOf(leadClass: number, length: number): string {
  return `${leadClass}/${length}`;
}

const HOURS_EVERY_SLOTS = 6;
const FEWEST = 100;

keepClass(OwnForecasts);
