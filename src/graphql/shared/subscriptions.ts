import type { SubscribeResolverData } from 'type-graphql';
import { notFound } from '../../commands/input/not-found.ts';
import type { ChangeEvent } from '../../store/events.ts';
import type { Changes } from '../change-hub.ts';
import { type ApiContext, callerOf, shareLoaders } from '../context.ts';
import type { Reported } from '../shared-answers.ts';
import { findNode } from './node.resolver.ts';
import { STANDINGS, type Standing } from './standing.ts';

const NOUNS = {
  Job: 'job',
  Reservation: 'reservation',
  CoAllocation: 'co-allocation',
  Site: 'site',
  JobGroup: 'group',
} as const;

type Followed = keyof typeof NOUNS;

/**
 * The source of a subscription: ids of what has changed, of the caller's tenant, and of sites, which are
 * everybody's. With the argument `id` it begins
 * with that one, as it is now, tells its end once, when it is charged, and is over then.
 */
export function followChanges(type: Followed, eventType: ChangeEvent['type']) {
  return async ({
    args,
    context,
  }: SubscribeResolverData<unknown, { id?: string | null }, ApiContext>): Promise<AsyncIterable<string>> => {
    const { tenantId } = callerOf(context);
    const follower = { name: tenantId, most: context.commands.limits.maxSubscriptions };
    const mayKnow = (event: ChangeEvent) =>
      event.type === eventType && (event.tenantId === tenantId || event.type === 'SITE');
    const globalId = args.id ?? null;
    if (globalId === null) return new Reports(context.changes.follow(mayKnow, [], follower), context, null);
    const node = await findNode(context, globalId, type);
    if (!node) throw notFound(NOUNS[type], 'id');
    const { databaseId } = node;
    const wants = (event: ChangeEvent) => mayKnow(event) && event.id === databaseId;
    return new Reports(context.changes.follow(wants, [databaseId], follower), context, STANDINGS[type]);
  };
}

/** Ids of what has changed, which know how things stand. */
class Reports implements Reported {
  private isOver = false;

  constructor(
    private readonly changes: Changes,
    private readonly context: ApiContext,
    private readonly standingOf: ((context: ApiContext, id: string) => Promise<Standing>) | null,
  ) {}

  async next(): Promise<IteratorResult<string>> {
    return this.isOver ? this.return() : this.changes.next();
  }

  async return(): Promise<IteratorResult<string>> {
    await this.changes.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * What cannot be read now is told as open: its resolver says what is wrong, and the loaders remember the same rows
   * for it.
   */
  async standing(id: string): Promise<Standing> {
    shareLoaders(this.context);
    return this.standingOf?.(this.context, id).catch(() => 'OPEN' as const) ?? 'OPEN';
  }

  wasTold(id: string, changeCount: number, standing: Standing): void {
    this.isOver = standing === 'SETTLED';
    this.changes.wasTold(id, changeCount);
  }
}
