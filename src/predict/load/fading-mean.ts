import { keepClass } from '../../domain/kept-classes.ts';
/** A mean over slots in which the weight of a slot fades with its age; of fewer slots, their plain mean. */
export class FadingMean {
  private mean = 0;
  private count = 0;
  private lastSlot = 0;

  /** @param slots after which a slot counts a third as much */
  constructor(private readonly slots: number) {}

  add(slot: number, amount: number): void {
    this.mean = this.count === 0 ? 0 : this.at(slot);
    this.count = Math.min(this.count + 1, this.slots);
    this.mean += (amount - this.mean) / this.count;
    this.lastSlot = slot;
  }

  /** What it was when something was added last; 0 when nothing ever was. */
  get newest(): number {
    return this.mean;
  }

  /** What it would be before `slot`, had nothing come since what was added last; 0 when nothing was ever added. */
  at(slot: number): number {
    const empty = Math.max(0, slot - this.lastSlot - 1);
    return this.mean * Math.exp(-empty / Math.max(1, this.count));
  }
}

keepClass(FadingMean);
