import TinyQueue from 'tinyqueue';
import type { EpochSeconds } from '../domain/clock.ts';

/** Somebody who does something at moments that he sets himself. */
export interface Actor {
  /** When he acts next, which only he changes and only while he acts; infinite when he never does again. */
  readonly dueAt: EpochSeconds;
  /** Does what is due at `dueAt`, which is now, and sets the next `dueAt`, not before this one. */
  next(): void;
}

interface Entry {
  readonly actor: Actor;
  readonly order: number;
}

/**
 * Who comes first of those due at one moment: whoever was added first, or, `unsettled`, whoever a heap happens to have
 * in front, which is the same in every run.
 */
export type TurnRule = 'added-first' | 'unsettled';

/** Who acts next. Costs O(log n) an act. */
export class Agenda {
  private readonly entries = new TinyQueue<Entry>([], (a, b) => a.actor.dueAt - b.actor.dueAt || a.order - b.order);
  private added = 0;

  constructor(
    actors: Iterable<Actor> = [],
    private readonly turns: TurnRule = 'added-first',
  ) {
    for (const actor of actors) this.add(actor);
  }

  /** When somebody acts next; infinite when nobody ever does. */
  get nextAt(): EpochSeconds {
    return this.entries.peek()?.actor.dueAt ?? Number.POSITIVE_INFINITY;
  }

  /** Adds somebody who is not on it; one who never acts is not kept. */
  add(actor: Actor): void {
    this.put({ actor, order: this.turns === 'unsettled' ? 0 : this.added++ });
  }

  /** Lets the first act, for whom it must be `nextAt` by now, and forgets him when that was the last time. */
  next(): void {
    const entry = this.entries.pop();
    if (!entry) return;
    entry.actor.next();
    this.put(entry);
  }

  private put(entry: Entry): void {
    if (entry.actor.dueAt < Number.POSITIVE_INFINITY) this.entries.push(entry);
  }
}
