import { keepClass } from '../../domain/kept-classes.ts';
import { FadingMean } from './fading-mean.ts';

/** A mean amount a slot that is free of the cycle of the day and week: amounts over the cycle in the same slots. */
export class FadingLevel {
  private readonly amounts: FadingMean;
  private readonly cycles: FadingMean;

  /** @param slots after which a slot counts a third as much */
  constructor(slots: number) {
    this.amounts = new FadingMean(slots);
    this.cycles = new FadingMean(slots);
  }

  /** @param cycle how many times as much is usual in that slot as on average */
  add(slot: number, amount: number, cycle: number): void {
    this.amounts.add(slot, amount);
    this.cycles.add(slot, cycle);
  }

  /** What it would be before `slot`, had nothing come since what was added last. */
  at(slot: number): number {
    return this.amounts.at(slot) / Math.max(LEAST_CYCLE, this.cycles.newest);
  }
}

/** What a short past in quiet hours is taken for at least, so that one job in it does not look like a flood. */
const LEAST_CYCLE = 0.25;

keepClass(FadingLevel);
