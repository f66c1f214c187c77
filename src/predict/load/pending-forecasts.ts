import { keepClass } from '../../domain/kept-classes.ts';
import { positiveRemainder } from '../../domain/positive-remainder.ts';
import type { LeadParts } from './lead-blend.ts';

/** What was expected of some slots together, to be looked at when they are over. */
export interface PendingForecast {
  /** Processors. */
  readonly expected: number;
  /** What it was made of. */
  readonly parts: LeadParts;
}

/**
 * Expectations of one lead, made every so many slots and kept until the last of their slots is over. In one list of
 * numbers: as objects, the thousands of a site took ten times as much.
 */
export class PendingForecasts {
  private readonly endsIn: Float64Array;
  private readonly figures: Float64Array;

  /**
   * @param lead slots from the one in which an expectation is made to the first of those that it is about
   * @param length how many these are
   * @param everySlots how many slots lie between two expectations
   */
  constructor(
    readonly lead: number,
    readonly length: number,
    private readonly everySlots: number,
  ) {
    const most = Math.ceil((lead + length) / everySlots) + 1;
    this.endsIn = new Float64Array(most).fill(Number.NaN);
    this.figures = new Float64Array(most * FIGURES);
  }

  /**
   * @param first the slot in which it is made
   * @param expected processors in all of its slots
   */
  keep(first: number, expected: number, parts: LeadParts): void {
    const last = first + this.lead + this.length - 1;
    const place = this.placeOf(last);
    this.endsIn[place] = last;
    const at = place * FIGURES;
    this.figures[at] = expected;
    for (let i = 0; i < parts.length; i++) this.figures[at + 1 + i] = parts[i] as number;
  }

  /** The one whose last slot this is; null where there is none. */
  endingIn(slot: number): PendingForecast | null {
    const place = this.placeOf(slot);
    if (this.endsIn[place] !== slot) return null;
    const figure = (i: number) => this.figures[place * FIGURES + i] as number;
    return { expected: figure(0), parts: [figure(1), figure(2), figure(3)] };
  }

  clear(): void {
    this.endsIn.fill(Number.NaN);
  }

  private placeOf(last: number): number {
    return positiveRemainder(Math.floor(last / this.everySlots), this.endsIn.length);
  }
}

/** The expectation, and its parts. */
const FIGURES = 4;

keepClass(PendingForecasts);
