import { CallerError } from '../domain/failures.ts';
import type { ChangeEvent } from '../store/events.ts';

/**
 * The ids of things that have changed, each at most once until it is read: a slow reader gets the newest state, not a
 * backlog.
 */
class ChangeStream implements AsyncIterableIterator<string> {
  private readonly pending: Set<string>;
  private deliver: ((result: IteratorResult<string>) => void) | null = null;
  private ended = false;

  constructor(
    private readonly first: readonly string[],
    private readonly onEnd: () => void,
  ) {
    this.pending = new Set(first);
  }

  /** Tells once more of what it began with. */
  repeat(): void {
    for (const id of this.first) this.push(id);
  }

  push(id: string): void {
    const deliver = this.deliver;
    this.deliver = null;
    if (deliver) deliver({ done: false, value: id });
    else this.pending.add(id);
  }

  next(): Promise<IteratorResult<string>> {
    const [id] = this.pending;
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

  publish(event: ChangeEvent): void {
    this.looks.clear();
    for (const [stream, wants] of this.followers) if (wants(event)) stream.push(event.id);
  }

  /**
   * The ids of what changes from now on.
   * @param wants what the follower may see and cares for
   * @param first ids to begin with, so that nothing is missed between a look and the subscription
   * @throws CallerError BUSY when that follower has as many already as it may
   */
  follow(
    wants: (event: ChangeEvent) => boolean,
    first: readonly string[],
    follower: Follower | null = null,
  ): AsyncIterableIterator<string> {
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
    this.looks.clear();
    for (const stream of this.followers.keys()) stream.repeat();
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of [...this.followers.keys()]) void stream.return();
  }
}
