import { keepClass } from '../../domain/kept-classes.ts';
import { positiveRemainder } from '../../domain/positive-remainder.ts';

/** The amounts of the most recent slots, by the number of the slot; those that are not told are 0. */
export class RecentAmounts {
  private readonly amounts: Float64Array;
  private readonly slots: Float64Array;

  /** @param capacity how many slots are remembered */
  constructor(private readonly capacity: number) {
    this.amounts = new Float64Array(capacity);
    this.slots = new Float64Array(capacity).fill(Number.NaN);
  }

  set(slot: number, amount: number): void {
    const place = this.placeOf(slot);
    this.slots[place] = slot;
    this.amounts[place] = amount;
  }

  at(slot: number): number {
    const place = this.placeOf(slot);
    return this.slots[place] === slot ? (this.amounts[place] as number) : 0;
  }

  /** The sum over `length` slots, at most the capacity, the last of which is `slot`. */
  sumUntil(slot: number, length: number): number {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += this.at(slot - i);
    return sum;
  }

  private placeOf(slot: number): number {
    return positiveRemainder(slot, this.capacity);
  }
}

keepClass(RecentAmounts);
