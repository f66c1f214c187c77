/**
 * From which bandwidth on a site is in a burst: the mean and one deviation more of what it had in slots of time so far.
 * Section 4.3 of wyatt-prionn.
 */
export class BurstLevel {
  private slots = 0;
  private mean = 0;
  private squares = 0;

  /** Of how many slots it has been told. */
  get count(): number {
    return this.slots;
  }

  /** Bytes per second, read and written together, of a slot that is over. */
  add(bytesPerSecond: number): void {
    this.slots++;
    const before = bytesPerSecond - this.mean;
    this.mean += before / this.slots;
    this.squares += before * (bytesPerSecond - this.mean);
  }

  /** What a burst exceeds; null before anything is known. */
  get bytesPerSecond(): number | null {
    return this.slots === 0 ? null : this.mean + Math.sqrt(this.squares / this.slots);
  }
}

/** The same of slots that are all known. */
export function burstLevel(slots: Iterable<number>): number | null {
  const level = new BurstLevel();
  for (const bytesPerSecond of slots) level.add(bytesPerSecond);
  return level.bytesPerSecond;
}
