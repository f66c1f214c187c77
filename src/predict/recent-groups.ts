import { keepClass } from '../domain/kept-classes.ts';
/**
 * What is remembered of groups of jobs, by their names. Of more than the capacity, the groups that were set least
 * recently are forgotten. O(1) for each use.
 */
export class RecentGroups<Memory> {
  private readonly memories = new Map<string, Memory>();

  /** @param capacity how many groups are kept, at least 1 */
  constructor(readonly capacity = MOST_GROUPS) {}

  get(name: string): Memory | undefined {
    return this.memories.get(name);
  }

  values(): IterableIterator<Memory> {
    return this.memories.values();
  }

  /** What is remembered of a group that is heard of now; made where there is nothing. */
  heardOf(name: string, make: () => Memory): Memory {
    const memory = this.memories.get(name) ?? make();
    this.set(name, memory);
    return memory;
  }

  set(name: string, memory: Memory): void {
    this.memories.delete(name);
    this.memories.set(name, memory);
    if (this.memories.size > this.capacity) this.memories.delete(this.memories.keys().next().value as string);
  }
}

const MOST_GROUPS = 100_000;

keepClass(RecentGroups);
