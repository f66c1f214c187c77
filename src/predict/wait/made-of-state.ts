import type { Snapshot } from '../../domain/snapshot.ts';

/**
 * What is made of states of a site, once for many questions. A state is never changed (`Snapshot` is read-only through
 * and through), so its object stands for what it says: of another object that says the same the same is made again.
 * This saves time and decides nothing, as long as it is told to forget when anything else is learned that it rests on.
 */
export class MadeOfState<Made> {
  private made = new WeakMap<Snapshot, Made>();

  /** @param make computes it; from the state and what has been learned alone */
  constructor(private readonly make: (state: Snapshot) => Made) {}

  of(state: Snapshot): Made {
    const known = this.made.get(state);
    if (known !== undefined) return known;
    const made = this.make(state);
    this.made.set(state, made);
    return made;
  }

  /** What has been learned changes what is made of any state. */
  forget(): void {
    this.made = new WeakMap();
  }
}
