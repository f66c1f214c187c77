import { CallerError } from '../domain/failures.ts';
import type { ChangeEvent } from '../store/events.ts';

/**
 * The ids of things that have changed, each at most once until it is read: a slow reader gets the newest state, not a
 * backlog.
 */
class ChangeStream implements Changes {
  /** Each with how many changes there had been when it was heard. */
  private readonly pending: Map<string, number>;
  private deliver: ((result: IteratorResult<string>) => void) | null = null;
  private ended = false;

  constructor(
    private readonly first: readonly string[],
    private readonly onEnd: () => void,
  ) {
    this.pending = new Map(first.map((id) => [id, 0]));
  }

  /** Tells once more of what it began with. */
  repeat(changeCount: number): void {
    for (const id of this.first) this.push(id, changeCount);
  }

  push(id: string, changeCount: number): void {
    const deliver = this.deliver;
    this.deliver = null;
    if (deliver) deliver({ done: false, value: id });
    else this.pending.set(id, changeCount);
  }

  /** What was heard of it before it was read, after so many changes, has been told. */
  wasTold(id: string, changeCount: number): void {
    const heardAt = this.pending.get(id);
    if (heardAt !== undefined && heardAt <= changeCount) this.pending.delete(id);
  }

  next(): Promise<IteratorResult<string>> {
    const [id] = this.pending.keys();
    if (id !== undefined) {
      this.pending.delete(id);
      return Promise.resolve({ done: false, value: id });
    }
    if (this.ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => {
      this.deliver = resolve;
    });
  }

  return(): Promise<IteratorResult<string>> {
    this.ended = true;
    this.pending.clear();
    this.onEnd();
    const end = { done: true, value: undefined } as const;
    this.deliver?.(end);
    this.deliver = null;
    return Promise.resolve(end);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** The ids of what has changed, for one follower. */
export interface Changes extends AsyncIterableIterator<string> {
  /**
   * It was read after so many changes and is told now: what had been heard of it by then is not told again.
   * @param changeCount of the hub, before it was read
   */
  wasTold(id: string, changeCount: number): void;
}

/** Who follows, and how much it may at once, over all its connections. */
export interface Follower {
  readonly name: string;
  readonly most: number;
}

function assertRoom({ most }: Follower, count: number): void {
  if (count < most) return;
  throw new CallerError(
    'BUSY',
    null,
    `${count} subscriptions of your tenant are open, at most ${most} may be; end some first`,
  );
}

/** For how long what was looked at may be handed on where no change is told of meanwhile. */
const FRESH_MILLISECONDS = 100;

/** Hands every change of the deployment to those of this process who may see it. */
export class ChangeHub {
  private readonly looks = new Map<string, unknown>();
  private lookedAt = Number.NEGATIVE_INFINITY;
  private readonly followers = new Map<ChangeStream, (event: ChangeEvent) => boolean>();
  private readonly names = new Map<ChangeStream, string>();
  private changes = 0;

  /** How many changes have been told of. */
  get changeCount(): number {
    return this.changes;
  }

  publish(event: ChangeEvent): void {
    this.changes++;
    this.looks.clear();
    for (const [stream, wants] of this.followers) if (wants(event)) stream.push(event.id, this.changes);
  }

  /**
   * The ids of what changes from now on.
   * @param wants what the follower may see and cares for
   * @param first ids to begin with, so that nothing is missed between a look and the subscription
   * @throws CallerError BUSY when that follower has as many already as it may
   */
  follow(wants: (event: ChangeEvent) => boolean, first: readonly string[], follower: Follower | null = null): Changes {
    if (follower) assertRoom(follower, [...this.names.values()].filter((name) => name === follower.name).length);
    const stream = new ChangeStream(first, () => {
      this.followers.delete(stream);
      this.names.delete(stream);
    });
    this.followers.set(stream, wants);
    if (follower) this.names.set(stream, follower.name);
    return stream;
  }

  /**
   * What one look finds, for all who are told of the same change: a hundred followers ask the database once. The next
   * change is looked at anew, and so is everything a tenth of a second later.
   * @param key of what is looked at; the same one always names the same kind of answer
   */
  lookOnce<Answer>(key: string, look: () => Answer): Answer {
    const now = performance.now();
    if (now - this.lookedAt > FRESH_MILLISECONDS) {
      this.looks.clear();
      this.lookedAt = now;
    }
    if (!this.looks.has(key)) this.looks.set(key, look());
    return this.looks.get(key) as Answer;
  }

  /** Changes may have gone unheard: everybody who follows one thing is told of it as it is now. */
  repeat(): void {
    this.changes++;
    this.looks.clear();
    for (const stream of this.followers.keys()) stream.repeat(this.changes);
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of [...this.followers.keys()]) void stream.return();
  }
}
