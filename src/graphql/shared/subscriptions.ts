import type { SubscribeResolverData } from 'type-graphql';
import { notFound } from '../../commands/not-found.ts';
import type { ChangeEvent } from '../../store/events.ts';
import { type ApiContext, callerOf } from '../context.ts';
import type { NodeType } from './global-id.ts';
import { findNode } from './node.resolver.ts';

const NOUNS = { Job: 'job', Reservation: 'reservation', CoAllocation: 'co-allocation' } as const satisfies Partial<
  Record<NodeType, string>
>;

type Followed = keyof typeof NOUNS;

/**
 * The source of a subscription: ids of what has changed, of the caller's tenant only. With the argument `id` it begins with
 * that one, as it is now.
 */
export function followChanges(type: Followed, eventType: ChangeEvent['type']) {
  return async ({
    args,
    context,
  }: SubscribeResolverData<unknown, { id?: string | null }, ApiContext>): Promise<AsyncIterable<string>> => {
    const { id, tenantId } = callerOf(context);
    const follower = { name: id, most: context.commands.limits.maxSubscriptions };
    const mayKnow = (event: ChangeEvent) => event.type === eventType && event.tenantId === tenantId;
    const globalId = args.id ?? null;
    if (globalId === null) return context.changes.follow(mayKnow, [], follower);
    const node = await findNode(context, globalId, type);
    if (!node) throw notFound(NOUNS[type], 'id');
    const { databaseId } = node;
    return context.changes.follow((event) => mayKnow(event) && event.id === databaseId, [databaseId], follower);
  };
}
