import { FadingLevel } from './fading-level.ts';
import { LeadBlend, type LeadParts } from './lead-blend.ts';
import { LEAD_CLASSES, leadClassOf, leadOfClass } from './lead-class.ts';
import type { LoadModel } from './load-model.ts';
import { SLOTS_PER_DAY, SLOTS_PER_WEEK } from './slots.ts';

/** What is expected of the slots from some slot on. */
export interface ExpectedAhead {
  /** What the expectation of one slot is made of. */
  partsAt(lead: number): LeadParts;
  /** Processors expected in `length` slots that begin `lead` slots after the first. */
  expectedIn(lead: number, length: number): number;
}

/**
 * Carries what a method expects of the next slot to those after it: the further ahead, the more is as in the last day
 * and the last weeks, at that time of the day and week.
 */
export class LoadAhead {
  private readonly day = new FadingLevel(SLOTS_PER_DAY);
  private readonly weeks = new FadingLevel(2 * SLOTS_PER_WEEK);
  private readonly blends = Array.from({ length: LEAD_CLASSES }, (_, one) => new LeadBlend(leadOfClass(one)));

  constructor(private readonly model: LoadModel) {}

  slotEnded(slot: number, processors: number): void {
    const cycle = this.model.cycleAt(slot);
    this.day.add(slot, processors, cycle);
    this.weeks.add(slot, processors, cycle);
  }

  /** What came of the parts in a slot that is over, before it is told as ended. */
  learn(lead: number, parts: LeadParts, slot: number, actual: number): void {
    this.blends[leadClassOf(lead)]?.learn(parts, actual, this.weeks.at(slot));
  }

  /** @param first the slot that is the next one */
  from(first: number): ExpectedAhead {
    const next = this.model.expectedIn(first);
    const atFirst = Math.max(this.model.cycleAt(first), LEAST_CYCLE);
    const [day, weeks] = [this.day.at(first), this.weeks.at(first)];
    const partsAt = (lead: number): LeadParts => {
      const cycle = this.model.cycleAt(first + lead);
      return [(next * cycle) / atFirst, day * cycle, weeks * cycle];
    };
    const expectedAt = (lead: number) =>
      lead === 0 ? next : (this.blends[leadClassOf(lead)] as LeadBlend).expected(partsAt(lead));
    const expectedIn = (lead: number, length: number) => {
      let sum = 0;
      for (let i = 0; i < length; i++) sum += expectedAt(lead + i);
      return sum;
    };
    return { partsAt, expectedIn };
  }
}

/** What the quietest hour is taken for at least, when what is expected in it is carried to others. */
const LEAST_CYCLE = 0.25;
